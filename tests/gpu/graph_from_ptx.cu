// SPDX-License-Identifier: Apache-2.0
// What graphs_and_code_test.py records: a CUDA graph of 50 kernels, launched 100 times, whose code is PTX of
// a GPU generation that is older than any it runs on.
#include <cstdio>
#include <cuda_runtime.h>

namespace {

constexpr int kKernels = 50;
constexpr int kLaunches = 100;
constexpr int kNumbers = 1 << 18; // 1 MiB

__global__ void increment(float* numbers) {
    numbers[threadIdx.x] += 1;
}

cudaGraphExec_t captureGraph(cudaStream_t stream, float* numbers) {
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t executable = nullptr;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    for (int i = 0; i < kKernels; ++i)
        increment<<<1, 32, 0, stream>>>(numbers);
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&executable, graph, 0);
    return executable;
}

} // namespace

int main() {
    float* numbers = nullptr;
    cudaStream_t stream = nullptr;
    cudaMalloc(&numbers, kNumbers * sizeof *numbers);
    cudaMemset(numbers, 0, kNumbers * sizeof *numbers);
    cudaStreamCreate(&stream);
    cudaGraphExec_t graph = captureGraph(stream, numbers);
    for (int i = 0; i < kLaunches; ++i)
        cudaGraphLaunch(graph, stream);
    float first = 0;
    cudaStreamSynchronize(stream);
    cudaMemcpy(&first, numbers, sizeof first, cudaMemcpyDeviceToHost);
    cudaFree(numbers);
    std::printf("%.0f\n", first);
    return cudaGetLastError() == cudaSuccess ? 0 : 1;
}
