// SPDX-License-Identifier: Apache-2.0
#include "analyzer/import/impossible_durations.h"
#include "analyzer/model/trace_tables.h"

#include <gtest/gtest.h>

namespace tacho {
namespace {

using namespace std::chrono_literals;

/// A thousand kernels of 50 us, one per 100 us, on stream 7.
class ImpossibleDurations : public testing::Test {
  protected:
    ImpossibleDurations() {
        m_trace.processes.emplace_back();
        m_trace.threads.push_back({ProcessIndex{0}, 1, {}});
        m_trace.devices.emplace_back();
        for (int i = 0; i < 1000; ++i)
            kernel("gemm", i * 100us, 50us);
    }
    void kernel(const char* name, DurationNs at, DurationNs length, std::uint32_t stream = 7,
                std::uint32_t correlation = 0) {
        GpuOpRow row;
        row.interval = {TimeNs{at}, TimeNs{at + length}};
        row.name = m_trace.strings.intern(name);
        row.stream = stream;
        row.correlation = correlation;
        append(m_trace.gpuOps, row);
    }
    std::size_t setAside() {
        completeTables(m_trace);
        const std::size_t before = m_trace.gpuOps.size();
        setAsideImpossibleDurations(m_trace);
        return before - m_trace.gpuOps.size();
    }

    Trace m_trace;
};

TEST_F(ImpossibleDurations, AKernelOfTwoSecondsOverLaterOnesOfItsStreamIsSetAsideAndCounted) {
    kernel("gemm", 50'060us, 2s);
    kernel("gemm", 70'060us, 2s);
    EXPECT_EQ(setAside(), 2U);
    ASSERT_EQ(m_trace.health.size(), 1U);
    EXPECT_EQ(m_trace.health[0].code, "impossible_duration");
    EXPECT_EQ(m_trace.health[0].count, 2);
    const GpuOps& ops = m_trace.gpuOps;
    EXPECT_EQ(ops.inGraph.size(), ops.size());
    for (std::size_t row = 0; row < ops.size(); ++row)
        EXPECT_EQ(ops.interval(row), (Interval{TimeNs{row * 100us}, TimeNs{row * 100us + 50us}}));
}

TEST_F(ImpossibleDurations, ANameSeenOnceIsMeasuredByAllKernels) {
    kernel("reduce", 50'060us, 2s);
    EXPECT_EQ(setAside(), 1U);
}

TEST_F(ImpossibleDurations, ProgrammaticDependentLaunchIsHealthy) {
    for (int i = 0; i < 100; ++i)
        kernel("epilogue", i * 100us + 46us, 20us);
    kernel("huge", 99'946us, 50ms); // its end overlaps nothing, its start 4 us
    EXPECT_EQ(setAside(), 0U);
    EXPECT_TRUE(m_trace.health.empty());
}

TEST_F(ImpossibleDurations, ALongKernelThatContradictsNothingStays) {
    kernel("gemm", 200ms, 2s);             // nothing after it
    kernel("ncclDevKernel", 10ms, 2s, 20); // on a stream of its own
    kernel("ncclDevKernel", 2020ms, 1ms, 20);
    EXPECT_EQ(setAside(), 0U);
}

TEST_F(ImpossibleDurations, KernelsOfOneGraphLaunchMayRunAtOnce) {
    kernel("node", 1s, 2s, 9, 5);
    for (int i = 1; i < 10; ++i)
        kernel("node", 1s + i * 10ms, 1us, 9, 5);
    EXPECT_EQ(setAside(), 0U);
}

TEST_F(ImpossibleDurations, LongKernelsThatAllRunAtOnceOnOneStreamNumberStay) {
    for (int i = 0; i < 10; ++i)
        kernel("concurrent", 1s + i * 1ms, 20ms, 0);
    EXPECT_EQ(setAside(), 0U);
}

} // namespace
} // namespace tacho
