// SPDX-License-Identifier: Apache-2.0
// What must be said of public traces whose diagnosis is known, and what must not.
#include "analyzer/import/open_trace.h"
#include "analyzer/report/text_report.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

namespace tacho {
namespace {

namespace fs = std::filesystem;

const fs::path kData = fs::path(TACHO_SOURCE_DIR) / "../shared/data";

struct Case {
    const char* name;
    std::vector<std::string> files; ///< a folder stands for all its files
    Limit limit;
    std::vector<std::string> says;       ///< in the verdict
    std::vector<std::string> mustNotSay; ///< anywhere in the report
};

void PrintTo(const Case& testCase, std::ostream* out) {
    *out << testCase.name;
}

class PublicTrace : public testing::TestWithParam<Case> {};

TEST_P(PublicTrace, GetsTheKnownVerdict) {
    if (!fs::exists(kData))
        GTEST_SKIP() << "../shared/data is absent";
    std::vector<std::string> paths;
    for (const std::string& file : GetParam().files)
        paths.push_back((kData / file).string());
    const Trace trace = openTrace(paths);
    const Analysis analysis = analyse(trace);
    const std::string report = textReport(trace, analysis);
    EXPECT_EQ(nameOf(analysis.verdict.limit), nameOf(GetParam().limit)) << report;
    for (const std::string& words : GetParam().says)
        EXPECT_NE(analysis.verdict.text.find(words), std::string::npos) << words << "\n" << report;
    for (const std::string& words : GetParam().mustNotSay)
        EXPECT_EQ(report.find(words), std::string::npos) << words << "\n" << report;
    EXPECT_LE(std::count(report.begin(), report.end(), '\n'), 24) << report;
    EXPECT_EQ(report.find("nan"), std::string::npos) << report;
}

const Case kCases[] = {
    {"H100CopyBound",
     {"nsys-ai/h100_2gpu_1s.sqlite"},
     Limit::Copy,
     {"920.9 ms of pinned H2D at 27.7 GB/s (25.5 GB)", "969.4 ms window", "none hidden", "kernels 2.31 %"},
     {"healthy", "pageable", "tensor cores used"}},
    {"ResNet50NoWorkers",
     {"kineto/resnet50_nw0.1623143089861.json.gz"},
     Limit::Input,
     {"DataLoader ranges take 415.8 ms", "39.4 %"},
     {"launch-bound"}},
    {"ResNet50FourWorkers",
     {"kineto/resnet50_nw4.1623212756351.json.gz"},
     Limit::Compute,
     {"DataLoader ranges take 8.5 ms", "idle 23.3 %"},
     {"launch-bound"}},
    {"DlrmEightRanks",
     {"param/dlrm_kineto"},
     Limit::Communication,
     {"rank 7 waits least", "1.7 ms", "3.5 ms to 11.3 ms"},
     {"GB/s", "low bandwidth"}},
    {"DlrmOneRank",
     {"param/dlrm_kineto/worker0_step_12.1694128201545.pt.trace.json.gz"},
     Limit::Communication,
     {"one rank of 8", "cannot tell"},
     {"straggler"}},
    {"DlrmStragglerAlone",
     {"param/dlrm_kineto/worker7_step_12.1694128201553.pt.trace.json.gz"},
     Limit::Host,
     {"one rank of 8", "cannot tell"},
     {"straggler"}},
    {"ParticleBatch2",
     {"particle/single_epoch_forward_pass_batch_size_2.json.gz"},
     Limit::Host,
     {"idle 84.3 %"},
     {}},
    {"ParticleBatch128",
     {"particle/single_epoch_forward_pass_batch_size_128.json.gz"},
     Limit::Compute,
     {"idle 14.3 %"},
     {}},
    {"LinearLaunches",
     {"param/linear_kineto.json.gz"},
     Limit::Host,
     {"idle 63.2 %", "median kernel 14 us", "median launch call 18 us", "116 us per kernel"},
     {"H2D"}},
    {"Saxpy",
     {"pipit/saxpy-mpi-cuda_nsys_perlmutter0.sqlite"},
     Limit::Copy,
     {"186.0 ms of pageable H2D", "98.7 ms of pageable D2H", "kernels 8.07 %"},
     {}},
    {"DynamicVit",
     {"dynamicvit/nsys_profile.sqlite"},
     Limit::NoGpuActivity,
     {"No CUDA activity was recorded"},
     {"%"}},
    {"CenterFormer",
     {"centerformer/baseline.7d784d.sqlite"},
     Limit::NoGpuActivity,
     {"No CUDA activity was recorded"},
     {"%"}},
    {"Healthy", {"nsys-ai/healthy_1pct.sqlite"}, Limit::Healthy, {"99.0 %"}, {"1. "}},
    {"RobertaFp32Batch4", {"h200/roberta_b4_fp32.json.gz"}, Limit::Host, {"idle 61.0 %"}, {}},
    {"ResNet152Fp32", {"h200/resnet152_b32_fp32.json.gz"}, Limit::Compute, {"tensor cores 0.00 %"}, {}},
    {"Gloo", {"h200/gloo2_rank0.json.gz"}, Limit::Communication, {"gloo", "997.2 MB"}, {}},
    {"NcclOneRank", {"h200/nccl1_rank0.json.gz"}, Limit::Host, {"idle"}, {"straggler"}},
};

INSTANTIATE_TEST_SUITE_P(Known, PublicTrace, testing::ValuesIn(kCases),
                         [](const auto& info) { return info.param.name; });

} // namespace
} // namespace tacho
