// SPDX-License-Identifier: Apache-2.0
#include "analyzer/model/trace_tables.h"

#include <gtest/gtest.h>

namespace tacho {
namespace {

Interval between(std::int64_t start, std::int64_t end) {
    return {timeFromNs(start), timeFromNs(end)};
}

class TraceTables : public testing::Test {
  protected:
    TraceTables() {
        for (const auto process : {ProcessIndex{0}, ProcessIndex{1}}) {
            m_trace.processes.emplace_back();
            m_trace.threads.push_back({process, 1, {}});
            m_trace.devices.emplace_back().process = process;
        }
    }
    void call(int thread, const char* name, std::uint32_t correlation, std::int64_t start) {
        append(m_trace.apiCalls, {between(start, start + 5), m_trace.strings.intern(name),
                                  static_cast<ThreadIndex>(thread), correlation});
    }
    void kernel(int device, std::uint32_t correlation, std::int64_t start) {
        GpuOpRow row;
        row.interval = between(start, start + 10);
        row.device = static_cast<DeviceIndex>(device);
        row.correlation = correlation;
        append(m_trace.gpuOps, row);
    }

    Trace m_trace;
};

TEST_F(TraceTables, LaunchesJoinByProcessAndCorrelationId) {
    call(0, "cudaLaunchKernel", 7, 100);
    call(1, "cudaLaunchKernel", 7, 50);
    kernel(0, 7, 300);
    kernel(1, 7, 200);
    completeTables(m_trace);
    EXPECT_EQ(m_trace.gpuOps.device[0], DeviceIndex{1}); // sorted by start
    EXPECT_EQ(m_trace.apiCalls.thread[m_trace.gpuOps.launch[0]], ThreadIndex{1});
    EXPECT_EQ(m_trace.apiCalls.thread[m_trace.gpuOps.launch[1]], ThreadIndex{0});
}

// Seen on an H200: CUPTI leaves the process between windows, and counts from the start when it is back.
TEST_F(TraceTables, AnIdThatAWindowUsedBeforeJoinsToItsOwnLaunch) {
    constexpr std::int64_t kLater = 1'000'000'000;
    for (const std::int64_t window : {std::int64_t{0}, kLater, 2 * kLater}) {
        call(0, "cudaLaunchKernel", 7, window + 100);
        kernel(0, 7, window + 300);
    }
    call(0, "cuLaunchKernel", 7, kLater + 102); // within that of the runtime
    kernel(0, 8, kLater + 400);
    call(0, "cudaLaunchKernel", 8, kLater + 500); // clocks disagree a little
    completeTables(m_trace);
    const GpuOps& ops = m_trace.gpuOps;
    ASSERT_EQ(ops.size(), 4U);
    for (std::size_t row = 0; row < ops.size(); ++row) {
        ASSERT_NE(ops.launch[row], kNoRow);
        EXPECT_EQ(ops.start[row] - m_trace.apiCalls.start[ops.launch[row]],
                  DurationNs{ops.correlation[row] == 7 ? 200 : -100});
        EXPECT_EQ(m_trace.text(m_trace.apiCalls.name[ops.launch[row]]), "cudaLaunchKernel");
    }
}

TEST_F(TraceTables, OrphansOfBothSidesAreKept) {
    call(0, "cudaLaunchKernel", 1, 100);
    kernel(0, 2, 300);
    kernel(1, 1, 400); // the id of another process
    kernel(0, 0, 500); // no id at all
    call(0, "cudaStreamSynchronize", 0, 600);
    completeTables(m_trace);
    EXPECT_EQ(m_trace.apiCalls.size(), 2U);
    EXPECT_EQ(m_trace.gpuOps.launch, (std::vector<std::uint32_t>{kNoRow, kNoRow, kNoRow}));
}

TEST_F(TraceTables, KernelsOfOneGraphLaunchAllLinkToIt) {
    call(0, "cudaGraphLaunch", 9, 100);
    kernel(0, 9, 200);
    kernel(0, 9, 210);
    completeTables(m_trace);
    EXPECT_EQ(m_trace.gpuOps.launch, (std::vector<std::uint32_t>{0, 0}));
    EXPECT_EQ(m_trace.gpuOps.inGraph, (std::vector<std::uint8_t>{1, 1}));
}

TEST_F(TraceTables, ParentsComeBeforeTheirChildren) {
    const auto name = [&](const char* text) { return m_trace.strings.intern(text); };
    append(m_trace.ranges, {between(10, 20), name("child"), StringId{}, ThreadIndex{0}, RangeKind::Nvtx});
    append(m_trace.ranges, {between(10, 90), name("parent"), StringId{}, ThreadIndex{0}, RangeKind::Nvtx});
    append(m_trace.ranges, {between(5, 6), name("before"), StringId{}, ThreadIndex{0}, RangeKind::Nvtx});
    completeTables(m_trace);
    EXPECT_EQ(m_trace.ranges.name, (std::vector<StringId>{name("before"), name("parent"), name("child")}));
}

TEST(ApiNames, LoseTheirVersionSuffix) {
    EXPECT_EQ(withoutVersionSuffix("cudaLaunchKernel_v7000"), "cudaLaunchKernel");
    EXPECT_EQ(withoutVersionSuffix("cudaMemcpyAsync_ptsz_v7000"), "cudaMemcpyAsync");
    EXPECT_EQ(withoutVersionSuffix("cuMemcpyHtoDAsync_v2_ptsz"), "cuMemcpyHtoDAsync");
    EXPECT_EQ(withoutVersionSuffix("cuMemcpyDtoH_v2_ptds"), "cuMemcpyDtoH");
    EXPECT_EQ(withoutVersionSuffix("cudaDeviceSynchronize"), "cudaDeviceSynchronize");
    EXPECT_EQ(withoutVersionSuffix("my_value"), "my_value");
    EXPECT_EQ(withoutVersionSuffix("_v2"), "_v2");
    EXPECT_EQ(withoutVersionSuffix(""), "");
}

TEST(ApiNames, TellWhatACallDoes) {
    const std::vector<std::pair<const char*, ApiKind>> known = {
        {"cudaLaunchKernel", ApiKind::Launch},
        {"cudaLaunchKernelExC", ApiKind::Launch},
        {"cudaLaunch", ApiKind::Launch},
        {"cuLaunchKernelEx", ApiKind::Launch},
        {"cudaLaunchCooperativeKernel", ApiKind::Launch},
        {"hipModuleLaunchKernel", ApiKind::Launch},
        {"hipExtModuleLaunchKernel", ApiKind::Launch},
        {"cudaLaunchHostFunc", ApiKind::Other},
        {"cudaGraphLaunch", ApiKind::GraphLaunch},
        {"cudaGraphAddMemcpyNode", ApiKind::Other},
        {"cudaMemcpyAsync", ApiKind::Copy},
        {"cuMemcpyDtoHAsync", ApiKind::Copy},
        {"cudaMemsetAsync", ApiKind::Set},
        {"cuMemsetD8Async", ApiKind::Set},
        {"cudaDeviceSynchronize", ApiKind::Synchronize},
        {"cuCtxSynchronize", ApiKind::Synchronize},
        {"cudaStreamWaitEvent", ApiKind::Other},
        {"cudaMalloc", ApiKind::Allocate},
        {"cudaHostAlloc", ApiKind::Allocate},
        {"cuMemAlloc", ApiKind::Allocate},
        {"cudaFree", ApiKind::Free},
        {"cudaFreeHost", ApiKind::Free},
        {"cuMemFree", ApiKind::Free},
        {"cuModuleLoadData", ApiKind::Module},
        {"cuLibraryLoadData", ApiKind::Module},
        {"cudaGetDevice", ApiKind::Other},
        {"", ApiKind::Other}};
    for (const auto& [name, kind] : known)
        EXPECT_EQ(classifyApi(name), kind) << name;
}

} // namespace
} // namespace tacho
