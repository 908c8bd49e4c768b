// SPDX-License-Identifier: Apache-2.0
#include "analyzer/metrics/device_breakdown.h"

#include <gtest/gtest.h>
#include <random>

namespace tacho {
namespace {

struct Copy {
    CopyKind kind = CopyKind::Unknown;
    std::int64_t bytes = 0;
    MemoryKind src = MemoryKind::Device, dst = MemoryKind::Device;
};

class DeviceBreakdownTest : public testing::Test {
  protected:
    DeviceBreakdownTest() {
        m_trace.processes.resize(1);
        m_trace.devices.resize(3);
    }
    void add(GpuOpKind kind, std::int64_t start, std::int64_t end, int device, const char* name, Copy copy) {
        GpuOps& ops = m_trace.gpuOps;
        ops.start.push_back(timeFromNs(start));
        ops.end.push_back(timeFromNs(end));
        ops.name.push_back(m_trace.strings.intern(name));
        ops.device.push_back(static_cast<DeviceIndex>(device));
        ops.kind.push_back(kind);
        ops.launch.push_back(kNoRow);
        ops.sizeBytes.push_back(copy.bytes);
        ops.copyKind.push_back(copy.kind);
        ops.srcKind.push_back(copy.src);
        ops.dstKind.push_back(copy.dst);
    }
    void kernel(std::int64_t start, std::int64_t end, const char* name, int device = 0) {
        add(GpuOpKind::Kernel, start, end, device, name, {});
    }
    void copy(std::int64_t start, std::int64_t end, Copy copy) {
        add(GpuOpKind::Memcpy, start, end, 0, "", copy);
    }
    void set(std::int64_t start, std::int64_t end) { add(GpuOpKind::Memset, start, end, 0, "", {}); }

    Trace m_trace;
};

TEST_F(DeviceBreakdownTest, CountsTimesThatOverlapOnce) {
    kernel(100, 200, "gemm");
    kernel(150, 250, "gemm");
    copy(240, 300, {CopyKind::HostToDevice, 64, MemoryKind::Pinned, MemoryKind::Device});
    set(400, 410);
    const auto rows = breakDownDevices(m_trace);
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(rows[0].events, 4);
    EXPECT_EQ(rows[0].span, DurationNs{310});
    EXPECT_EQ(rows[0].busy, DurationNs{210});
    EXPECT_EQ(rows[0].idle, DurationNs{100});
    EXPECT_EQ(rows[0].compute, DurationNs{150});
    EXPECT_EQ(rows[0].memory, DurationNs{70});
    EXPECT_EQ(rows[0].h2d, DurationNs{60});
    EXPECT_EQ(rows[0].h2dBytes, 64);
    EXPECT_EQ(rows[0].pageableCopies, 0);
}

TEST_F(DeviceBreakdownTest, CommunicationIsExposedWhereNoKernelComputes) {
    kernel(0, 100, "gemm");
    kernel(60, 160, "ncclDevKernel_AllReduce");
    copy(100, 130, {CopyKind::DeviceToDevice, 1}); // does not hide communication
    const auto row = breakDownDevices(m_trace).at(0);
    EXPECT_EQ(row.compute, DurationNs{100});
    EXPECT_EQ(row.communication, DurationNs{100});
    EXPECT_EQ(row.communicationExposed, DurationNs{60});
}

TEST_F(DeviceBreakdownTest, PageableMeansTheHostSideOfTheCopy) {
    copy(0, 1, {CopyKind::HostToDevice, 1, MemoryKind::Pageable, MemoryKind::Device});
    copy(2, 3, {CopyKind::DeviceToHost, 1, MemoryKind::Device, MemoryKind::Pageable});
    copy(4, 5, {CopyKind::HostToDevice, 1, MemoryKind::Unknown, MemoryKind::Device});
    copy(6, 7, {CopyKind::DeviceToHost, 1, MemoryKind::Device, MemoryKind::Pinned});
    EXPECT_EQ(breakDownDevices(m_trace).at(0).pageableCopies, 2);
}

TEST_F(DeviceBreakdownTest, DevicesWithoutWorkHaveNoRow) {
    kernel(0, 10, "gemm", 2);
    const auto rows = breakDownDevices(m_trace);
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(rows[0].device, DeviceIndex{2});
}

TEST_F(DeviceBreakdownTest, ATraceWithoutGpuWorkHasNoRows) {
    EXPECT_TRUE(breakDownDevices(m_trace).empty());
    EXPECT_TRUE(breakDownDevices(m_trace, Interval{timeFromNs(0), timeFromNs(5)}).empty());
}

TEST_F(DeviceBreakdownTest, TheSpanOfAClipIsWhatWasRecordedInIt) {
    kernel(10, 20, "gemm");
    kernel(40, 60, "gemm");
    const auto row = breakDownDevices(m_trace, Interval{timeFromNs(0), timeFromNs(50)}).at(0);
    EXPECT_EQ(row.span, DurationNs{40});
    EXPECT_EQ(row.busy, DurationNs{20});
    EXPECT_EQ(row.idle, DurationNs{20});
    EXPECT_EQ(row.events, 2);
    const auto between = breakDownDevices(m_trace, Interval{timeFromNs(25), timeFromNs(35)}).at(0);
    EXPECT_EQ(between.events, 0);
    EXPECT_EQ(between.idle, DurationNs{10});
}

TEST_F(DeviceBreakdownTest, AdjacentClipsAddUpToTheWhole) {
    std::mt19937_64 engine(7);
    std::int64_t start = 0;
    for (int i = 0; i < 500; ++i) {
        start += static_cast<std::int64_t>(engine() % 20);
        const std::int64_t end = start + static_cast<std::int64_t>(engine() % 30);
        switch (engine() % 4) {
        case 0:
            kernel(start, end, "gemm");
            break;
        case 1:
            kernel(start, end, "ncclKernel");
            break;
        case 2:
            copy(start, end, {CopyKind::HostToDevice, 8, MemoryKind::Pageable, MemoryKind::Device});
            break;
        default:
            copy(start, end, {CopyKind::DeviceToHost, 4, MemoryKind::Device, MemoryKind::Pinned});
        }
    }
    const Interval all{timeFromNs(0), timeFromNs(start + 100)};
    const auto whole = breakDownDevices(m_trace, all).at(0);
    EXPECT_EQ(whole.busy, breakDownDevices(m_trace).at(0).busy);
    for (std::int64_t cut = 300; cut < start - 300; cut += 37) {
        const auto left = breakDownDevices(m_trace, Interval{all.start, timeFromNs(cut)}).at(0);
        const auto right = breakDownDevices(m_trace, Interval{timeFromNs(cut), all.end}).at(0);
        EXPECT_EQ(left.busy + right.busy, whole.busy);
        EXPECT_EQ(left.idle + right.idle, whole.idle);
        EXPECT_EQ(left.communicationExposed + right.communicationExposed, whole.communicationExposed);
        EXPECT_EQ(left.events + right.events, whole.events);
        EXPECT_EQ(left.h2dBytes + right.h2dBytes, whole.h2dBytes);
        EXPECT_EQ(left.pageableCopies + right.pageableCopies, whole.pageableCopies);
    }
}

} // namespace
} // namespace tacho
