// SPDX-License-Identifier: Apache-2.0
#include "analyzer/report/stats_table.h"
#include "tests/unit/trace_builder.h"

#include <gtest/gtest.h>

namespace tacho {
namespace {

using namespace std::chrono_literals;

nlohmann::ordered_json rowsOf(std::string_view report, const Trace& trace) {
    return tableAsJson(findStatsReport(report)->make(trace));
}

/// Two layers in a step; each launches a kernel of 10 us, that starts 100 us later.
Trace twoLayers() {
    return test::trace()
        .range(RangeKind::Nvtx, "step", 0us, 50us)
        .range(RangeKind::Nvtx, "layer", 0us, 20us)
        .range(RangeKind::Nvtx, "layer", 20us, 20us)
        .kernel("gemm", 105us, 10us, 100us)
        .kernel("gemm", 125us, 10us, 100us)
        .build();
}

TEST(NvtxReports, AKernelCountsForAllRangesAroundItsLaunch) {
    const auto rows = rowsOf("nvtx_kern_sum", twoLayers());
    ASSERT_EQ(rows.size(), 2U);
    for (const auto& row : rows) {
        EXPECT_EQ(row["Kern Inst"], 2);
        EXPECT_EQ(row["Total Time (ns)"], 20'000);
        EXPECT_EQ(row["NVTX Inst"], row["NVTX Range"] == "step" ? 1 : 2);
    }
}

TEST(NvtxReports, ProjectRangesFromTheFirstStartToTheLastEndOfTheirWork) {
    const auto rows = rowsOf("nvtx_gpu_proj_sum", twoLayers());
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0]["Range"], "step");
    EXPECT_EQ(rows[0]["Total Proj Time (ns)"], 30'000); // 105 to 135 us
    EXPECT_EQ(rows[0]["Avg Num Child"], 2.0);
    EXPECT_EQ(rows[1]["Range"], "layer");
    EXPECT_EQ(rows[1]["Total Proj Time (ns)"], 20'000);
    EXPECT_EQ(rows[1]["Range Instances"], 2);
    EXPECT_EQ(rows[1]["Avg Range Lvl"], 1.0);
}

TEST(NvtxReports, TellPushPopFromStartEnd) {
    const Trace trace = test::trace()
                            .range(RangeKind::Nvtx, "pushed", 0us, 10us)
                            .range(RangeKind::NvtxStartEnd, "started", 5us, 10us)
                            .build();
    EXPECT_EQ(rowsOf("nvtx_sum", trace).size(), 2U);
    ASSERT_EQ(rowsOf("nvtx_pushpop_sum", trace).size(), 1U);
    EXPECT_EQ(rowsOf("nvtx_pushpop_sum", trace)[0]["Range"], "pushed");
    ASSERT_EQ(rowsOf("nvtx_startend_sum", trace).size(), 1U);
    EXPECT_EQ(rowsOf("nvtx_startend_sum", trace)[0]["Style"], "StartEnd");
}

TEST(NvtxReports, KeepTheStylesOfRangesOfOneNameApart) {
    const Trace trace = test::trace()
                            .range(RangeKind::Nvtx, "load", 0us, 10us)
                            .range(RangeKind::NvtxStartEnd, "load", 5us, 20us)
                            .build();
    const auto rows = rowsOf("nvtx_sum", trace);
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0]["Style"], "StartEnd");
    EXPECT_EQ(rows[1]["Style"], "PushPop");
}

TEST(LaunchReport, QueueTimeIsOnlyOfKernelsThatStartAfterTheirCall) {
    // A launch takes 5 us and ends when the kernel starts, or 10 us before.
    const Trace trace =
        test::trace().kernel("gemm", 100us, 20us, 0us).kernel("gemm", 200us, 20us, 10us).build();
    const auto rows = rowsOf("cuda_kern_exec_sum", trace);
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(rows[0]["Count"], 2);
    EXPECT_EQ(rows[0]["QCount"], 1);
    EXPECT_EQ(rows[0]["QAvg (ns)"], 10'000.0);
    EXPECT_EQ(rows[0]["TMax (ns)"], 35'000);
    EXPECT_EQ(rows[0]["KMed (ns)"], 20'000.0);
    EXPECT_EQ(rows[0]["AMin (ns)"], 5'000);
}

TEST(TensorReport, NamesClassAndArithmetic) {
    const Trace trace =
        test::trace().kernel("ampere_sgemm_128x64_nn", 10us, 30us).kernel("mine", 50us, 10us).build();
    const auto rows = rowsOf("tensor", trace);
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0]["Class"], "not");
    EXPECT_EQ(rows[0]["Arithmetic"], "fp32");
    EXPECT_EQ(rows[0]["Time (%)"], 75.0);
    EXPECT_EQ(rows[1]["Class"], "unknown");
}

TEST(TraceReports, HaveTheColumnsThatScriptsForNsightKnow) {
    const auto headerOf = [](std::string_view report) {
        const auto csv = tableAsCsv(findStatsReport(report)->make(Trace()));
        return csv.substr(0, csv.find('\r'));
    };
    EXPECT_EQ(
        headerOf("cuda_gpu_trace"),
        "Start (ns),Duration (ns),CorrId,GrdX,GrdY,GrdZ,BlkX,BlkY,BlkZ,Reg/Trd,StcSMem (MB),DymSMem (MB),"
        "Bytes (MB),Throughput (MB/s),SrcMemKd,DstMemKd,Device,Ctx,GreenCtx,Strm,Name");
    EXPECT_EQ(headerOf("cuda_api_trace"),
              "Start (ns),Duration (ns),Name,Result,CorrID,Pid,Tid,T-Pri,Thread Name");
}

TEST(Tsv, KeepsARowOnOneLineWhateverItsTexts) {
    const Table table{"t", "T", {{"A"}, {"B"}}, {{std::string("a\tb\nc\\d\r"), std::int64_t{1}}}};
    EXPECT_EQ(tableAsTsv(table), "A\tB\na\\tb\\nc\\\\d\\r\t1\n");
}

} // namespace
} // namespace tacho
