// SPDX-License-Identifier: Apache-2.0
#include "analyzer/metrics/copy_summary.h"

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

} // namespace
} // namespace tacho
