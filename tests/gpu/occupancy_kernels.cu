// SPDX-License-Identifier: Apache-2.0
// Kernels that need different amounts of registers and shared memory.
#include "tests/gpu/occupancy_kernels.h"

namespace {

template <int values>
__global__ void keep(float* data, int rounds) {
    float kept[values];
    for (int i = 0; i < values; ++i)
        kept[i] = data[i * blockDim.x + threadIdx.x];
    for (int round = 0; round < rounds; ++round)
#pragma unroll
        for (int i = 0; i < values; ++i)
            kept[i] = kept[i] * kept[(i + 7) % values] + data[round];
    for (int i = 0; i < values; ++i)
        data[i * blockDim.x + threadIdx.x] = kept[i];
}

template <int bytes>
__global__ void share(float* data) {
    __shared__ char shared[bytes];
    shared[threadIdx.x % bytes] = static_cast<char>(data[threadIdx.x]);
    __syncthreads();
    data[threadIdx.x] = shared[(threadIdx.x + 1) % bytes];
}

} // namespace

std::vector<const void*> occupancyKernels() {
    return {reinterpret_cast<const void*>(keep<1>),         reinterpret_cast<const void*>(keep<24>),
            reinterpret_cast<const void*>(keep<48>),        reinterpret_cast<const void*>(keep<100>),
            reinterpret_cast<const void*>(keep<200>),       reinterpret_cast<const void*>(share<100>),
            reinterpret_cast<const void*>(share<5000>),     reinterpret_cast<const void*>(share<33000>),
            reinterpret_cast<const void*>(share<48 * 1024>)};
}
