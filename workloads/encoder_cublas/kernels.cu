// SPDX-License-Identifier: Apache-2.0
#include "workloads/encoder_cublas/device_memory.h"
#include "workloads/encoder_cublas/kernels.h"

namespace tacho::encoder {

namespace {
constexpr int kThreads = 256;

int blocksFor(int items) {
    return (items + kThreads - 1) / kThreads;
}

void checkLaunch(const char* kernel) {
    check(cudaGetLastError(), kernel);
}

constexpr float kRootTwoOverPi = 0.7978845608F;
constexpr float kCubicTerm = 0.044715F;

__device__ float geluInner(float z) {
    return tanhf(kRootTwoOverPi * (z + kCubicTerm * z * z * z));
}

__global__ void addBiasKernel(int count, int columns, float* y, const float* bias) {
    const int i = blockIdx.x * kThreads + threadIdx.x;
    if (i < count)
        y[i] += bias[i % columns];
}

__global__ void biasGeluKernel(int count, int columns, float* z, const float* bias, float* a) {
    const int i = blockIdx.x * kThreads + threadIdx.x;
    if (i >= count)
        return;
    const float value = z[i] + bias[i % columns];
    z[i] = value;
    a[i] = 0.5F * value * (1.0F + geluInner(value));
}

__global__ void geluGradientKernel(int count, const float* z, const float* da, float* dz) {
    const int i = blockIdx.x * kThreads + threadIdx.x;
    if (i >= count)
        return;
    const float value = z[i];
    const float t = geluInner(value);
    const float inner = kRootTwoOverPi * (1.0F + 3.0F * kCubicTerm * value * value);
    dz[i] = da[i] * (0.5F * (1.0F + t) + 0.5F * value * (1.0F - t * t) * inner);
}

__global__ void addBiasAndResidualKernel(int count, int columns, float* y, const float* bias,
                                         const float* residual) {
    const int i = blockIdx.x * kThreads + threadIdx.x;
    if (i < count)
        y[i] += bias[i % columns] + residual[i];
}

__global__ void addInPlaceKernel(int count, float* dx, const float* dy) {
    const int i = blockIdx.x * kThreads + threadIdx.x;
    if (i < count)
        dx[i] += dy[i];
}

__global__ void columnSumsKernel(int rows, int columns, const float* dy, float* db) {
    const int column = blockIdx.x * kThreads + threadIdx.x;
    if (column >= columns)
        return;
    float sum = 0.0F;
    for (int row = 0; row < rows; ++row)
        sum += dy[static_cast<long>(row) * columns + column];
    db[column] = sum;
}

__global__ void softmaxCrossEntropyKernel(Matrix shape, float* logits, const int* labels, float* rowLoss) {
    const int row = blockIdx.x * kThreads + threadIdx.x;
    if (row >= shape.rows)
        return;
    float* values = logits + static_cast<long>(row) * shape.columns;
    float largest = values[0];
    for (int c = 1; c < shape.columns; ++c)
        largest = fmaxf(largest, values[c]);
    float sum = 0.0F;
    for (int c = 0; c < shape.columns; ++c)
        sum += expf(values[c] - largest);
    rowLoss[row] = logf(sum) + largest - values[labels[row]];
    for (int c = 0; c < shape.columns; ++c) {
        const float share = expf(values[c] - largest) / sum;
        values[c] = (share - (c == labels[row] ? 1.0F : 0.0F)) / static_cast<float>(shape.rows);
    }
}

__global__ void meanKernel(int count, const float* values, float* mean) {
    __shared__ float sums[kThreads];
    float sum = 0.0F;
    for (int i = threadIdx.x; i < count; i += kThreads)
        sum += values[i];
    sums[threadIdx.x] = sum;
    for (int half = kThreads / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            sums[threadIdx.x] += sums[threadIdx.x + half];
    }
    if (threadIdx.x == 0)
        *mean = sums[0] / static_cast<float>(count);
}

__global__ void adamKernel(int count, AdamArrays arrays, AdamStep step) {
    const int i = blockIdx.x * kThreads + threadIdx.x;
    if (i >= count)
        return;
    const float gradient = arrays.gradients[i];
    const float first = 0.9F * arrays.firstMoments[i] + 0.1F * gradient;
    const float second = 0.999F * arrays.secondMoments[i] + 0.001F * gradient * gradient;
    arrays.firstMoments[i] = first;
    arrays.secondMoments[i] = second;
    arrays.parameters[i] -=
        step.learningRate * (first / step.firstCorrection) / (sqrtf(second / step.secondCorrection) + 1e-8F);
}
} // namespace

void addBias(Matrix shape, float* y, const float* bias) {
    const int count = shape.rows * shape.columns;
    addBiasKernel<<<blocksFor(count), kThreads>>>(count, shape.columns, y, bias);
    checkLaunch("addBias");
}

void biasGelu(Matrix shape, float* z, const float* bias, float* a) {
    const int count = shape.rows * shape.columns;
    biasGeluKernel<<<blocksFor(count), kThreads>>>(count, shape.columns, z, bias, a);
    checkLaunch("biasGelu");
}

void geluGradient(Matrix shape, const float* z, const float* da, float* dz) {
    const int count = shape.rows * shape.columns;
    geluGradientKernel<<<blocksFor(count), kThreads>>>(count, z, da, dz);
    checkLaunch("geluGradient");
}

void addBiasAndResidual(Matrix shape, float* y, const float* bias, const float* residual) {
    const int count = shape.rows * shape.columns;
    addBiasAndResidualKernel<<<blocksFor(count), kThreads>>>(count, shape.columns, y, bias, residual);
    checkLaunch("addBiasAndResidual");
}

void addInPlace(Matrix shape, float* dx, const float* dy) {
    const int count = shape.rows * shape.columns;
    addInPlaceKernel<<<blocksFor(count), kThreads>>>(count, dx, dy);
    checkLaunch("addInPlace");
}

void columnSums(Matrix shape, const float* dy, float* db) {
    columnSumsKernel<<<blocksFor(shape.columns), kThreads>>>(shape.rows, shape.columns, dy, db);
    checkLaunch("columnSums");
}

void softmaxCrossEntropy(Matrix shape, float* logits, const int* labels, float* rowLoss) {
    softmaxCrossEntropyKernel<<<blocksFor(shape.rows), kThreads>>>(shape, logits, labels, rowLoss);
    checkLaunch("softmaxCrossEntropy");
}

void meanOf(int count, const float* values, float* mean) {
    meanKernel<<<1, kThreads>>>(count, values, mean);
    checkLaunch("meanOf");
}

void adam(int count, AdamArrays arrays, AdamStep step) {
    adamKernel<<<blocksFor(count), kThreads>>>(count, arrays, step);
    checkLaunch("adam");
}

} // namespace tacho::encoder
