// SPDX-License-Identifier: Apache-2.0
#include "analyzer/report/stats_table.h"
#include "tests/unit/trace_builder.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace tacho {
namespace {

std::string headerOf(std::string_view report, const Trace& trace = {}) {
    const auto csv = tableAsCsv(findStatsReport(report)->make(trace));
    return csv.substr(0, csv.find('\r'));
}

Trace twoCopiesAndASet() {
    Trace trace;
    auto& ops = trace.gpuOps;
    for (const std::int64_t i : {0, 1, 2}) {
        ops.start.push_back(timeFromNs(1000 * i));
        ops.end.push_back(timeFromNs(1000 * i + 100));
        ops.name.push_back(StringId{0});
        ops.kind.push_back(i == 2 ? GpuOpKind::Memset : GpuOpKind::Memcpy);
        ops.copyKind.push_back(CopyKind::HostToDevice);
        ops.sizeBytes.push_back(1'500'000 * (i + 1));
    }
    return trace;
}

TEST(StatsReports, HaveTheColumnsThatScriptsForNsightKnow) {
    const std::string spread = "Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns)";
    EXPECT_EQ(headerOf("cuda_gpu_kern_sum"), "Time (%),Total Time (ns),Instances," + spread + ",Name");
    EXPECT_EQ(headerOf("cuda_api_sum"), "Time (%),Total Time (ns),Num Calls," + spread + ",Name");
    EXPECT_EQ(headerOf("cuda_gpu_mem_time_sum"), "Time (%),Total Time (ns),Count," + spread + ",Operation");
    EXPECT_EQ(headerOf("cuda_gpu_mem_size_sum"),
              "Total (MB),Count,Avg (MB),Med (MB),Min (MB),Max (MB),StdDev (MB),Operation");
}

TEST(StatsReports, AreFoundByEitherName) {
    EXPECT_EQ(findStatsReport("kernels"), findStatsReport("cuda_gpu_kern_sum"));
    EXPECT_EQ(findStatsReport("api"), findStatsReport("cuda_api_sum"));
    EXPECT_EQ(findStatsReport("kernel"), nullptr);
    EXPECT_EQ(findStatsReport(""), nullptr);
}

TEST(StatsReports, HaveOneCellPerColumn) {
    using namespace std::chrono_literals;
    const Trace trace = test::trace()
                            .step(0, 0us, 500us)
                            .kernel("gemm", 20us, 30us)
                            .kernel("gemm", 200us, 300us)
                            .kernel("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 600us, 30us)
                            .copy(CopyKind::HostToDevice, MemoryKind::Pageable, 100, 100us, 10us)
                            .range(RangeKind::Nvtx, "nn.Module: Layer_0", 10us, 300us)
                            .counter("DRAM Read Bandwidth [Throughput %]", 210us, 1)
                            .counter("DRAM Read Bandwidth [Throughput %]", 310us, 1)
                            .counter("DRAM Write Bandwidth [Throughput %]", 210us, 1)
                            .counter("DRAM Write Bandwidth [Throughput %]", 310us, 1)
                            .counter("Tensor Active [Throughput %]", 210us, 1)
                            .counter("Tensor Active [Throughput %]", 310us, 1)
                            .range(RangeKind::NvtxStartEnd, "job", 10us, 300us)
                            .range(RangeKind::Operator, "aten::mm", 10us, 300us)
                            .build();
    for (const auto& report : statsReports()) {
        const auto table = report.make(trace);
        for (const auto& row : table.rows)
            EXPECT_EQ(row.size(), table.columns.size()) << report.name;
        EXPECT_FALSE(table.rows.empty()) << report.name;
    }
}

TEST(StatsReports, SharesAddUpToTheRowsListed) {
    const auto rows = tableAsJson(findStatsReport("memory_time")->make(twoCopiesAndASet()));
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_DOUBLE_EQ(rows[0]["Time (%)"].get<double>() + rows[1]["Time (%)"].get<double>(), 100);
}

TEST(StatsReports, MemoryHasTimesAndSizesOfEachOperation) {
    const auto rows = tableAsJson(findStatsReport("memory")->make(twoCopiesAndASet()));
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0]["Operation"], "[CUDA memcpy Host-to-Device]");
    EXPECT_EQ(rows[0]["Total Time (ns)"], 200);
    EXPECT_EQ(rows[0]["Count"], 2);
    EXPECT_DOUBLE_EQ(rows[0]["Size Total (MB)"].get<double>(), 4.5);
    EXPECT_DOUBLE_EQ(rows[1]["Size Avg (MB)"].get<double>(), 4.5);
}

} // namespace
} // namespace tacho
