// SPDX-License-Identifier: Apache-2.0
// Is our occupancy that of the driver? Skips without a GPU.
#include "analyzer/metrics/occupancy.h"
#include "tests/gpu/occupancy_kernels.h"

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

namespace tacho {
namespace {

Device deviceOf(const cudaDeviceProp& properties) {
    Device device;
    device.computeMajor = properties.major;
    device.computeMinor = properties.minor;
    device.smCount = properties.multiProcessorCount;
    device.maxWarpsPerSm = properties.maxThreadsPerMultiProcessor / 32;
    device.maxBlocksPerSm = properties.maxBlocksPerMultiProcessor;
    device.registersPerSm = properties.regsPerMultiprocessor;
    device.sharedMemoryPerSmBytes = static_cast<std::int64_t>(properties.sharedMemPerMultiprocessor);
    return device;
}

TEST(Occupancy, IsThatOfTheDriver) {
    cudaDeviceProp properties{};
    if (cudaGetDeviceProperties(&properties, 0) != cudaSuccess)
        GTEST_SKIP() << "there is no GPU here";
    const Device device = deviceOf(properties);
    int compared = 0;
    for (const void* kernel : occupancyKernels()) {
        cudaFuncAttributes attributes{};
        ASSERT_EQ(cudaFuncGetAttributes(&attributes, kernel), cudaSuccess);
        for (int threads = 32; threads <= attributes.maxThreadsPerBlock; threads += 32)
            for (const int dynamic : {0, 1, 1000, 9000, 24'000}) {
                int blocks = 0;
                const auto result = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
                    &blocks, kernel, threads, static_cast<std::size_t>(dynamic));
                const bool isTooMuch = attributes.sharedSizeBytes + static_cast<std::size_t>(dynamic) >
                                       properties.sharedMemPerBlock;
                if (result != cudaSuccess || blocks == 0 || isTooMuch)
                    continue;
                const LaunchShape shape{{1000, 1, 1},
                                        {threads, 1, 1},
                                        attributes.numRegs,
                                        static_cast<std::int32_t>(attributes.sharedSizeBytes),
                                        dynamic};
                const auto ours = theoreticalOccupancy(shape, device);
                ASSERT_TRUE(ours);
                EXPECT_EQ(ours->blocksPerSm, blocks)
                    << threads << " threads, " << attributes.numRegs << " registers, "
                    << attributes.sharedSizeBytes << " + " << dynamic << " bytes shared";
                ++compared;
            }
    }
    EXPECT_GT(compared, 500);
}

} // namespace
} // namespace tacho
