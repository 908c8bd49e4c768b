// SPDX-License-Identifier: Apache-2.0
// Public reports about captures that held nothing or the wrong things, and about analyzers that read them
// wrongly; see diagnosis.h.
//
// Reports of the same collection (by the numbers of these tests) that no small trace can stand for:
// - 5: the reader took nvidia-smi's column of the fan for the utilisation; nothing of it is in a trace
// - 44: one version of a framework against the next: two captures, for a comparison
// - 52, 70: tables of measured gains and launch costs, no defect
// - 85: samples instead of iterations per second: a trace does not hold the batch size
// - 110: two profilers at once: tests of the injected library
// - 106, 109, 115 to 122: files that break readers: tests of the importers
// - 124: memory of the reader: tests/bench
#include "analyzer/report/html_report.h"
#include "analyzer/report/json_report.h"
#include "analyzer/report/text_report.h"
#include "tests/unit/analysis/diagnosis.h"

#include <gtest/gtest.h>

namespace tacho {
namespace {

using test::addLayers;
using test::Diagnosis;
using test::kFp32Gemm;
using test::kTensorGemm;
using test::trace;
using test::TraceBuilder;
using namespace std::chrono_literals;

// https://github.com/GindaChen/nsys-ai/issues/160, https://github.com/sgl-project/sglang/issues/2776 and
// https://github.com/NVIDIA/apex/issues/737: calls are recorded, kernels are not.
TEST(Cases, Case103And104And121_CallsWithoutAnyKernelAreNotAnIdleGpu) {
    TraceBuilder builder = trace();
    for (int i = 0; i < 100; ++i)
        builder.call(ApiKind::Launch, "cudaLaunchKernel", i * 1ms, 5us);
    builder.health(Severity::Warning, "nsys_diagnostic", "the driver's clock is not known to the tracer");
    const Trace t = builder.build();
    const Analysis analysis = analyse(t);
    EXPECT_EQ(analysis.verdict.limit, Limit::NoGpuActivity);
    EXPECT_NE(analysis.verdict.text.find("the driver's clock"), std::string::npos) << "why";
    for (const std::string& report : {textReport(t, analysis), htmlReport(t, analysis)})
        EXPECT_EQ(report.find("100.0 %"), std::string::npos) << report;
}

// https://github.com/pytorch/pytorch/issues/192021: a buffer was lost at the start.
TEST(Cases, Case107_LaunchesWhoseKernelsAreMissingAreNotIdleTime) {
    TraceBuilder builder = trace();
    for (int i = 0; i < 50; ++i)
        builder.call(ApiKind::Launch, "cudaLaunchKernel", i * 1ms, 5us);
    addLayers(builder, kTensorGemm, 50ms, 50, 1ms);
    const Diagnosis diagnosis(builder);
    EXPECT_EQ(diagnosis.limit(), Limit::Healthy) << diagnosis.everything();
    EXPECT_EQ(diagnosis.device().steady.span, 50ms);
}

// https://github.com/NVIDIA/NeMo-Framework-Launcher/issues/441 and
// https://github.com/pegainfer-project/pegainfer/issues/163: a graph was recorded as one block.
TEST(Cases, Case112And113_AGraphThatIsOneBlockIsWorkOfUnknownKind) {
    TraceBuilder builder = trace();
    addLayers(builder, std::string(kWholeGraph), 0ms, 20, 5ms);
    const Diagnosis diagnosis(builder);
    EXPECT_NE(diagnosis.limit(), Limit::NoGpuActivity);
    EXPECT_EQ(diagnosis.device().tensor.unknown, 100ms);
    EXPECT_EQ(diagnosis.device().tensor.notTensor, 0ms);
    EXPECT_EQ(diagnosis.finding("tensor_cores_unused"), nullptr);
    EXPECT_TRUE(diagnosis.says("unknown 100.0 %")) << diagnosis.everything();
}

// https://github.com/facebookresearch/HolisticTraceAnalysis/issues/56: one GPU, nothing to communicate with.
TEST(Cases, Case125_OneGpuHasNoCommunicationAndNoRanks) {
    TraceBuilder builder = trace();
    addLayers(builder, kTensorGemm, 0ms, 20, 1ms);
    const Diagnosis diagnosis(builder);
    EXPECT_EQ(diagnosis.device().steady.communication, 0ms);
    EXPECT_EQ(diagnosis.finding("exposed_communication"), nullptr);
    EXPECT_FALSE(diagnosis.says("rank"));
}

// https://github.com/facebookresearch/HolisticTraceAnalysis/issues/107
TEST(Cases, Case127_GpusWithoutARankAreCalledByTheirNumber) {
    TraceBuilder builder = trace();
    addLayers(builder, kTensorGemm, 0ms, 20, 1ms);
    const Trace t = builder.build();
    const std::string report = textReport(t, analyse(t));
    EXPECT_NE(report.find("GPU 0"), std::string::npos) << report;
    EXPECT_EQ(report.find("rank"), std::string::npos) << report;
}

// https://github.com/sillsdev/silnlp/issues/505: nvidia-smi shows 100 %.
TEST(Cases, Case130_AFullyBusyGpuWithoutTensorCoresIsNotHealthy) {
    TraceBuilder builder = trace();
    addLayers(builder, kFp32Gemm, 0ms, 50, 1ms);
    const Diagnosis diagnosis(builder);
    EXPECT_EQ(diagnosis.limit(), Limit::Compute);
    EXPECT_TRUE(diagnosis.says("tensor cores 0.00 %")) << diagnosis.everything();
    EXPECT_NE(diagnosis.finding("tensor_cores_unused"), nullptr);
}

// https://github.com/openxla/xprof/issues/282: "no step marker observed".
TEST(Cases, Case131_StepsAreFoundWithoutMarkers) {
    TraceBuilder builder = trace();
    for (int i = 0; i < 12; ++i)
        for (int k = 0; k < 10; ++k)
            builder.kernel("layer" + std::to_string(k), i * 12ms + k * 1ms, 1ms);
    const Diagnosis diagnosis(builder);
    const StepSummary& steps = diagnosis.analysis().measurements.steps;
    EXPECT_EQ(steps.source, StepSource::Periodic);
    EXPECT_EQ(steps.median, 12ms);
}

// https://github.com/facebookresearch/HolisticTraceAnalysis/issues/290: one call launches many kernels.
TEST(Cases, Case128_AllKernelsOfAGraphHaveItsLaunch) {
    TraceBuilder builder = trace();
    addLayers(builder, kTensorGemm, 0ms, 200, 1ms);
    Trace t = builder.build();
    for (std::uint32_t row = 0; row < t.gpuOps.size(); ++row) {
        t.gpuOps.launch[row] = t.gpuOps.launch[row - row % 20];
        t.gpuOps.inGraph[row] = 1;
    }
    const Analysis analysis = analyse(t);
    EXPECT_EQ(analysis.verdict.limit, Limit::Healthy) << analysis.verdict.text;
    EXPECT_EQ(analysis.measurements.devices.front().idle.length(IdleCause::NoData), 0ms);
}

} // namespace
} // namespace tacho
