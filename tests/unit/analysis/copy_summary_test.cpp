// SPDX-License-Identifier: Apache-2.0
#include "analyzer/metrics/copy_summary.h"
#include "analyzer/metrics/link_peak.h"
#include "analyzer/metrics/upload_sizes.h"

#include "tests/unit/trace_builder.h"

#include <gtest/gtest.h>

namespace tacho {
namespace {

using test::trace;
using namespace std::chrono_literals;

TEST(CopySummary, PartsDirectionsAndKindsOfMemory) {
    const auto copies =
        summariseCopies(trace()
                            .copy(CopyKind::HostToDevice, MemoryKind::Pageable, 100, 0us, 10us)
                            .copy(CopyKind::HostToDevice, MemoryKind::Pinned, 100, 20us, 5us)
                            .copy(CopyKind::DeviceToHost, MemoryKind::Pinned, 100, 30us, 2us)
                            .build());
    ASSERT_EQ(copies.size(), 3U);
    EXPECT_EQ(copies[0].source, MemoryKind::Pageable);
    EXPECT_EQ(copies[1].source, MemoryKind::Pinned);
    EXPECT_EQ(copies[2].destination, MemoryKind::Pinned);
}

TEST(CopySummary, IsExposedOnlyWhereNoKernelRuns) {
    const auto copies =
        summariseCopies(trace()
                            .kernel("gemm", 100us, 60us)
                            .copy(CopyKind::HostToDevice, MemoryKind::Pinned, 100, 120us, 60us)
                            .build());
    EXPECT_EQ(copies.at(0).time, 60us);
    EXPECT_EQ(copies.at(0).exposed, 20us);
}

TEST(CopySummary, TellsTheSpeedOfTheLinkFromLargeCopies) {
    const auto copies =
        summariseCopies(trace()
                            .copy(CopyKind::HostToDevice, MemoryKind::Pinned, 10'000'000, 0us, 1000us)
                            .copy(CopyKind::HostToDevice, MemoryKind::Pinned, 8, 2000us, 1000us)
                            .build());
    EXPECT_DOUBLE_EQ(copies.at(0).largeBytesPerSecond.value(), 10e9);
    EXPECT_DOUBLE_EQ(copies.at(0).bytesPerSecond(), 10'000'008 / 2e-3);
    const auto small =
        summariseCopies(trace().copy(CopyKind::HostToDevice, MemoryKind::Pinned, 8, 0us, 1us).build());
    EXPECT_FALSE(small.at(0).largeBytesPerSecond) << "a small copy tells nothing of the link";
}

TEST(UploadSizes, TellWhatIsCopiedInEveryStep) {
    test::TraceBuilder builder;
    for (int step = 0; step < 4; ++step) {
        builder.step(step, step * 10ms, 10ms)
            .kernel("gemm", step * 10ms + 3ms, 5ms)
            .copy(CopyKind::HostToDevice, MemoryKind::Pageable, 4096, step * 10ms + 1ms, 10us)
            .copy(CopyKind::HostToDevice, MemoryKind::Pageable, 4096, step * 10ms + 2ms, 10us);
        if (step == 2)
            builder.copy(CopyKind::HostToDevice, MemoryKind::Pinned, 8, step * 10ms + 9ms, 2us);
    }
    const auto uploads = uploadSizes(builder.build());
    ASSERT_EQ(uploads.size(), 2U);
    EXPECT_EQ(uploads[0].bytes, 4096);
    EXPECT_EQ(uploads[0].count, 2 * uploads[0].analysedSteps);
    EXPECT_TRUE(uploads[0].isOfEveryStep());
    EXPECT_EQ(uploads[1].steps, 1);
    EXPECT_FALSE(uploads[1].isOfEveryStep());
}

TEST(LinkPeak, IsThatOfTheGeneration) {
    Device device;
    device.name = "NVIDIA H200";
    device.computeMajor = 9;
    EXPECT_NEAR(pcieBytesPerSecond(device).value(), 63.0e9, 0.1e9);
    device.computeMajor = 8;
    EXPECT_NEAR(pcieBytesPerSecond(device).value(), 31.5e9, 0.1e9);
    device.computeMajor = 7;
    EXPECT_NEAR(pcieBytesPerSecond(device).value(), 15.75e9, 0.1e9);
    device.computeMinor = 2;
    EXPECT_FALSE(pcieBytesPerSecond(device)) << "Xavier has its host's memory";
    EXPECT_FALSE(pcieBytesPerSecond(Device())) << "not known";
}

} // namespace
} // namespace tacho
