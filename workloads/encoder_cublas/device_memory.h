// SPDX-License-Identifier: Apache-2.0
// Memory of the GPU and page-locked host memory as values, and the check of CUDA's return codes.
#pragma once

#include <cstddef>
#include <cuda_runtime_api.h>
#include <memory>
#include <stdexcept>
#include <string>

namespace tacho::encoder {

inline void check(cudaError_t status, const char* what) {
    if (status != cudaSuccess)
        throw std::runtime_error(std::string(what) + " failed: " + cudaGetErrorString(status));
}

struct DeviceDelete {
    void operator()(void* memory) const { cudaFree(memory); }
};

struct PinnedDelete {
    void operator()(void* memory) const { cudaFreeHost(memory); }
};

template <typename T>
using DeviceArray = std::unique_ptr<T[], DeviceDelete>;
template <typename T>
using PinnedArray = std::unique_ptr<T[], PinnedDelete>;

/// `count` elements of GPU memory, all bytes zero.
template <typename T>
[[nodiscard]] DeviceArray<T> allocateOnDevice(std::size_t count) {
    void* memory = nullptr;
    check(cudaMalloc(&memory, count * sizeof(T)), "allocating GPU memory");
    DeviceArray<T> owner(static_cast<T*>(memory));
    check(cudaMemset(memory, 0, count * sizeof(T)), "clearing GPU memory");
    return owner;
}

/// `count` elements of page-locked host memory, not initialised.
template <typename T>
[[nodiscard]] PinnedArray<T> allocatePinned(std::size_t count) {
    void* memory = nullptr;
    check(cudaMallocHost(&memory, count * sizeof(T)), "allocating page-locked memory");
    return PinnedArray<T>(static_cast<T*>(memory));
}

} // namespace tacho::encoder
