// SPDX-License-Identifier: Apache-2.0
// As much GPU activity as the driver can take: empty kernels, launched one by one or in a graph, on some
// threads.
//
//     storm [--launches N] [--threads T] [--graph] [--copy-every N] [--nvtx-every N]
//
// Prints what it made as one line of JSON, so that it can be compared with what was recorded.
#include "tests/bench/storm/storm_options.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <fstream>
#include <nvtx3/nvToolsExt.h>
#include <string>
#include <thread>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

__global__ void nothing() {}

void check(cudaError_t result, const char* what) {
    if (result == cudaSuccess)
        return;
    std::fprintf(stderr, "storm: %s: %s\n", what, cudaGetErrorString(result));
    std::exit(EXIT_FAILURE);
}

/// What one thread made.
struct Made {
    std::uint64_t kernels = 0, graphLaunches = 0, copies = 0, ranges = 0;
};

cudaGraphExec_t graphOfKernels(std::uint32_t nodes) {
    cudaGraph_t graph{};
    check(cudaGraphCreate(&graph, 0), "making a graph");
    cudaKernelNodeParams kernel{};
    kernel.func = reinterpret_cast<void*>(nothing);
    kernel.gridDim = kernel.blockDim = dim3(1);
    cudaGraphNode_t last{};
    for (std::uint32_t i = 0; i < nodes; ++i) {
        cudaGraphNode_t node{};
        check(cudaGraphAddKernelNode(&node, graph, i > 0 ? &last : nullptr, i > 0 ? 1 : 0, &kernel),
              "adding a kernel to the graph");
        last = node;
    }
    cudaGraphExec_t executable{};
    check(cudaGraphInstantiate(&executable, graph, 0), "instantiating the graph");
    return executable;
}

void launchGraphs(const StormOptions& options, cudaStream_t stream, Made& made) {
    const cudaGraphExec_t graph = graphOfKernels(options.graphNodes);
    while (made.kernels < options.launchesOfAThread()) {
        check(cudaGraphLaunch(graph, stream), "launching the graph");
        ++made.graphLaunches;
        made.kernels += options.graphNodes;
    }
}

void launchKernels(const StormOptions& options, cudaStream_t stream, Made& made) {
    const int source = 1;
    void* target = nullptr;
    check(cudaMalloc(&target, sizeof source), "allocating");
    for (std::uint64_t i = 1; i <= options.launchesOfAThread(); ++i) {
        const bool hasRange = options.nvtxEvery > 0 && i % options.nvtxEvery == 0;
        if (hasRange)
            nvtxRangePushA("launch");
        nothing<<<1, 1, 0, stream>>>();
        ++made.kernels;
        if (options.copyEvery > 0 && i % options.copyEvery == 0) {
            check(cudaMemcpyAsync(target, &source, sizeof source, cudaMemcpyHostToDevice, stream), "copying");
            ++made.copies;
        }
        if (hasRange) {
            nvtxRangePop();
            ++made.ranges;
        }
    }
    check(cudaGetLastError(), "launching");
}

Made runThread(const StormOptions& options) {
    Made made;
    cudaStream_t stream{};
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "making a stream");
    options.useGraph ? launchGraphs(options, stream, made) : launchKernels(options, stream, made);
    check(cudaStreamSynchronize(stream), "waiting for the end");
    return made;
}

/// Peak of the resident memory of this process in KiB; 0: unknown.
long peakMemoryKiB() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.compare(0, 6, "VmHWM:") == 0)
            return std::strtol(line.c_str() + 6, nullptr, 10);
    return 0;
}

Made runAll(const StormOptions& options) {
    std::vector<Made> made(options.threads);
    std::vector<std::thread> threads;
    for (Made& each : made)
        threads.emplace_back([&] { each = runThread(options); });
    Made sum;
    for (std::uint32_t i = 0; i < options.threads; ++i) {
        threads[i].join();
        sum.kernels += made[i].kernels;
        sum.graphLaunches += made[i].graphLaunches;
        sum.copies += made[i].copies;
        sum.ranges += made[i].ranges;
    }
    return sum;
}

} // namespace

int main(int argc, char** argv) {
    const StormOptions options = StormOptions::parse(argc, argv);
    check(cudaFree(nullptr), "starting CUDA");
    const long before = peakMemoryKiB();
    const auto begin = Clock::now();
    const Made made = runAll(options);
    const std::chrono::duration<double> seconds = Clock::now() - begin;
    std::printf("{\"kernels\": %llu, \"graph_launches\": %llu, \"copies\": %llu, \"ranges\": %llu, "
                "\"seconds\": %.3f, \"peak_kib_before\": %ld, \"peak_kib\": %ld}\n",
                static_cast<unsigned long long>(made.kernels),
                static_cast<unsigned long long>(made.graphLaunches),
                static_cast<unsigned long long>(made.copies), static_cast<unsigned long long>(made.ranges),
                seconds.count(), before, peakMemoryKiB());
}
