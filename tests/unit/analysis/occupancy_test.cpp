// SPDX-License-Identifier: Apache-2.0
#include "analyzer/metrics/occupancy.h"

#include <gtest/gtest.h>

namespace tacho {
namespace {

/// As the CUDA C++ Programming Guide has compute capability 9.0.
Device h200() {
    Device device;
    device.computeMajor = 9;
    device.smCount = 132;
    device.maxWarpsPerSm = 64;
    device.maxBlocksPerSm = 32;
    device.registersPerSm = 65'536;
    device.sharedMemoryPerSmBytes = 228 * 1024;
    return device;
}

LaunchShape shapeOf(int blocks, int threads, int registers, int sharedBytes) {
    return {{blocks, 1, 1}, {threads, 1, 1}, registers, sharedBytes, 0};
}

TEST(Occupancy, IsLimitedByWhatRunsOutFirst) {
    const auto warps = theoreticalOccupancy(shapeOf(1, 256, 32, 0), h200());
    EXPECT_EQ(warps->blocksPerSm, 8);
    EXPECT_EQ(warps->share, 1.0);
    EXPECT_EQ(warps->limit, OccupancyLimit::Warps);

    const auto blocks = theoreticalOccupancy(shapeOf(1, 32, 16, 0), h200());
    EXPECT_EQ(blocks->blocksPerSm, 32);
    EXPECT_EQ(blocks->share, 0.5);
    EXPECT_EQ(blocks->limit, OccupancyLimit::Blocks);

    const auto registers = theoreticalOccupancy(shapeOf(1, 384, 168, 0), h200());
    EXPECT_EQ(registers->blocksPerSm, 1); // 12 warps of 5376 registers: three for each quarter
    EXPECT_EQ(registers->limit, OccupancyLimit::Registers);

    const auto shared = theoreticalOccupancy(shapeOf(1, 128, 32, 100'000), h200());
    EXPECT_EQ(shared->blocksPerSm, 2);
    EXPECT_EQ(shared->share, 0.125);
    EXPECT_EQ(shared->limit, OccupancyLimit::SharedMemory);
}

TEST(Occupancy, CountsTheKilobyteThatTheDriverTakes) {
    EXPECT_EQ(theoreticalOccupancy(shapeOf(1, 32, 16, 114 * 1024), h200())->blocksPerSm, 1);
    EXPECT_EQ(theoreticalOccupancy(shapeOf(1, 32, 16, 113 * 1024), h200())->blocksPerSm, 2);
}

TEST(Occupancy, TellsHowOftenTheGpuIsFilled) {
    EXPECT_DOUBLE_EQ(theoreticalOccupancy(shapeOf(132 * 8 * 3 / 2, 256, 32, 0), h200())->waves, 1.5);
    EXPECT_LT(theoreticalOccupancy(shapeOf(10, 256, 32, 0), h200())->waves, 0.01);
}

TEST(Occupancy, IsUnknownWithoutTheFacts) {
    EXPECT_FALSE(theoreticalOccupancy(LaunchShape(), h200()));
    EXPECT_FALSE(theoreticalOccupancy(shapeOf(1, 32, 16, 0), Device()));
    Device old = h200();
    old.computeMajor = 6;
    EXPECT_FALSE(theoreticalOccupancy(shapeOf(1, 32, 16, 0), old));
}

} // namespace
} // namespace tacho
