// SPDX-License-Identifier: Apache-2.0
#include "workloads/encoder_cublas/gradient_check.h"

#include "workloads/encoder_cublas/batches.h"
#include "workloads/encoder_cublas/encoder.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace tacho::encoder {

namespace {
using Numbers = std::vector<double>;
constexpr double kLargestError = 1e-3; // float32 keeps 7 digits; sums over a few dozen products lose 2 to 3
constexpr double kDifference = 1e-5; // near the cube root of double's precision: best for central differences

Numbers linear(const Layer& layer, const Numbers& parameters, const Numbers& x) {
    Numbers y(layer.outputs);
    for (int out = 0; out < layer.outputs; ++out) {
        y[out] = parameters[layer.biases + out];
        for (int in = 0; in < layer.inputs; ++in)
            y[out] += parameters[layer.weights + static_cast<std::size_t>(out) * layer.inputs + in] * x[in];
    }
    return y;
}

double gelu(double z) {
    return 0.5 * z * (1 + std::tanh(std::sqrt(2 / M_PI) * (z + 0.044715 * z * z * z)));
}

double lossOfRow(const ParameterLayout& layout, const Numbers& parameters, Numbers x, int label) {
    x = linear(layout.input, parameters, x);
    for (const Block& block : layout.blocks) {
        Numbers inside = linear(block.expand, parameters, x);
        std::transform(inside.begin(), inside.end(), inside.begin(), gelu);
        const Numbers added = linear(block.contract, parameters, inside);
        std::transform(x.begin(), x.end(), added.begin(), x.begin(), std::plus<>());
    }
    const Numbers logits = linear(layout.output, parameters, x);
    double sum = 0;
    for (const double logit : logits)
        sum += std::exp(logit);
    return std::log(sum) - logits[label];
}

double loss(const ParameterLayout& layout, const Numbers& parameters, const Batches& batch, int rows) {
    const int inputs = layout.input.inputs;
    double sum = 0;
    for (int row = 0; row < rows; ++row) {
        const float* sample = batch.samples() + static_cast<std::size_t>(row) * inputs;
        sum += lossOfRow(layout, parameters, Numbers(sample, sample + inputs), batch.labels()[row]);
    }
    return sum / rows;
}
} // namespace

bool gradientsAgree(const Options& options) {
    Options small = options;
    small.batch = 5;
    small.usesTf32 = false;
    const Shape shape{7, 9, 11, 2, 4};
    Encoder encoder(small, shape);
    Batches batch(small, shape);
    batch.next();
    encoder.copyInput(batch.samples(), batch.labels());
    encoder.forward();
    encoder.backward();

    const std::vector<float> gradients = encoder.gradients();
    const std::vector<float> initial = encoder.parameters();
    Numbers parameters(initial.begin(), initial.end());
    const double hostLoss = loss(encoder.layout(), parameters, batch, small.batch);
    double largest = std::abs(encoder.loss() - hostLoss) / hostLoss;
    double scale = 0;
    for (const float gradient : gradients)
        scale = std::max(scale, std::abs(static_cast<double>(gradient)));
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const double kept = parameters[i];
        parameters[i] = kept + kDifference;
        const double above = loss(encoder.layout(), parameters, batch, small.batch);
        parameters[i] = kept - kDifference;
        const double below = loss(encoder.layout(), parameters, batch, small.batch);
        parameters[i] = kept;
        // Relative to the largest gradient: small ones are differences of large terms.
        largest = std::max(largest, std::abs((above - below) / (2 * kDifference) - gradients[i]) / scale);
    }
    std::printf("largest relative error of %zu gradients: %.2e\n", gradients.size(), largest);
    return scale > 0 && largest < kLargestError;
}

} // namespace tacho::encoder
