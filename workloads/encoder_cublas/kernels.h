// SPDX-License-Identifier: Apache-2.0
// The network's own CUDA kernels; each function launches one on the default stream.
#pragma once

namespace tacho::encoder {

struct Matrix {
    int rows, columns; ///< row-major
};

/// y += bias, in every row.
void addBias(Matrix shape, float* y, const float* bias);
/// a = gelu(z + bias); z becomes z + bias. GELU by its tanh approximation.
void biasGelu(Matrix shape, float* z, const float* bias, float* a);
/// dz = da * gelu'(z); dz may be da.
void geluGradient(Matrix shape, const float* z, const float* da, float* dz);
/// y = residual + y + bias.
void addBiasAndResidual(Matrix shape, float* y, const float* bias, const float* residual);
/// dx += dy.
void addInPlace(Matrix shape, float* dx, const float* dy);
/// db[c] = sum of the column c of dy. The order of the sum is fixed.
void columnSums(Matrix shape, const float* dy, float* db);
/// Cross-entropy of softmax: rowLoss[r], and in place of the logits their gradient for the mean over rows.
void softmaxCrossEntropy(Matrix shape, float* logits, const int* labels, float* rowLoss);
/// mean = mean of values[0..count). The order of the sum is fixed.
void meanOf(int count, const float* values, float* mean);

struct AdamStep {
    float learningRate;
    float firstCorrection, secondCorrection; ///< 1 - beta^t
};
struct AdamArrays {
    float* parameters;
    const float* gradients;
    float* firstMoments;
    float* secondMoments;
};
/// Adam (Kingma and Ba, 2015) with beta 0.9 and 0.999, epsilon 1e-8.
void adam(int count, AdamArrays arrays, AdamStep step);

} // namespace tacho::encoder
