// SPDX-License-Identifier: Apache-2.0
// Advice never asks for what the hook has seen to be on already.
#include "analyzer/rules/all_rules.h"
#include "tests/unit/trace_builder.h"

#include <gtest/gtest.h>

namespace tacho {
namespace {

using test::trace;
using test::TraceBuilder;
using namespace std::chrono_literals;

/// All advice of one rule, a line each; "" if it is silent.
std::string adviceOf(TraceBuilder& builder, const std::string& rule) {
    const Trace t = builder.build();
    std::string lines;
    for (const Finding& finding : checkAllRules(t, measure(t)))
        if (finding.rule == rule)
            for (const std::string& line : finding.advice)
                lines += line + "\n";
    return lines;
}

std::string adviceOf(TraceBuilder&& builder, const std::string& rule) {
    return adviceOf(builder, rule);
}

bool says(const std::string& advice, const std::string& words) {
    return advice.find(words) != std::string::npos;
}

TraceBuilder inPyTorch() {
    TraceBuilder builder = trace();
    builder.fact("torch.version", "2.11.0");
    return builder;
}

TraceBuilder fp32Training() {
    TraceBuilder builder = inPyTorch();
    for (int i = 0; i < 20; ++i)
        builder.kernel("ampere_sgemm_128x64_nn", i * 1ms, 1ms, 500us);
    return builder;
}

TraceBuilder launchBoundTraining() {
    TraceBuilder builder = inPyTorch();
    for (int i = 0; i < 50; ++i)
        builder.kernel("tiny", i * 50us, 5us, 2us);
    return builder;
}

TraceBuilder waitingForInput(const std::string& range) {
    TraceBuilder builder = inPyTorch();
    for (int i = 0; i < 10; ++i)
        builder.kernel("gemm", i * 10ms, 6ms, 5us)
            .range(RangeKind::Annotation, range, 6ms + i * 10ms, 3900us);
    return builder;
}

TraceBuilder copyingPageable() {
    TraceBuilder builder = inPyTorch();
    for (int i = 0; i < 10; ++i)
        builder.copy(CopyKind::HostToDevice, MemoryKind::Pageable, 10'000'000, i * 2ms, 1ms)
            .kernel("gemm", 1ms + i * 2ms, 1ms, 500us);
    return builder;
}

TEST(TensorCoreAdvice, NamesTheTf32FlagsThatAreOffOnly) {
    const std::string unknown = adviceOf(fp32Training(), "tensor_cores_unused");
    EXPECT_TRUE(says(unknown, "set_float32_matmul_precision") && says(unknown, "cudnn.allow_tf32"))
        << unknown;
    const std::string half = adviceOf(
        fp32Training().fact("cudnn.allow_tf32", "1").fact("matmul.allow_tf32", "0"), "tensor_cores_unused");
    EXPECT_TRUE(says(half, "set_float32_matmul_precision")) << half;
    EXPECT_FALSE(says(half, "cudnn.allow_tf32")) << half;
}

TEST(TensorCoreAdvice, LooksForOtherReasonsWhereTf32AndAutocastAreOn) {
    const std::string advice = adviceOf(fp32Training()
                                            .fact("cudnn.allow_tf32", "1")
                                            .fact("matmul.allow_tf32", "1")
                                            .fact("autocast.seen", "1"),
                                        "tensor_cores_unused");
    EXPECT_TRUE(says(advice, "TF32 is on") && says(advice, "Autocast is on")) << advice;
    EXPECT_FALSE(says(advice, "set_float32_matmul_precision")) << advice;
}

TEST(TensorCoreAdvice, DoesNotProposeTf32ToAGpuWithoutItThatWaitsForTheHost) {
    TraceBuilder builder = inPyTorch();
    builder.deviceNamed("NVIDIA GeForce RTX 2080 Ti", 7, 5);
    for (int i = 0; i < 20; ++i)
        builder.kernel("volta_sgemm_128x64_nn", i * 1ms, 400us, 2us);
    const std::string advice = adviceOf(builder, "tensor_cores_unused");
    EXPECT_TRUE(says(advice, "Feed the GPU first")) << advice;
    EXPECT_FALSE(says(advice, "Then TF32")) << advice;
}

TEST(TensorCoreAdvice, SpeaksCublasToAProgramWithoutPyTorch) {
    TraceBuilder builder = trace();
    for (int i = 0; i < 20; ++i)
        builder.kernel("ampere_sgemm_128x64_nn", i * 1ms, 1ms, 500us);
    const std::string advice = adviceOf(builder, "tensor_cores_unused");
    EXPECT_TRUE(says(advice, "cublasSetMathMode")) << advice;
    EXPECT_FALSE(says(advice, "torch")) << advice;
}

TEST(HostBoundAdvice, DoesNotProposeWhatIsUsed) {
    const std::string plain = adviceOf(launchBoundTraining(), "host_bound");
    EXPECT_TRUE(says(plain, "torch.compile (") && says(plain, "fused=True") && says(plain, "expect little"))
        << plain;
    const std::string compiled = adviceOf(launchBoundTraining()
                                              .fact("compile.seen", "1")
                                              .fact("compile.mode", "default")
                                              .fact("optimizer.fused", "1")
                                              .fact("autocast.seen", "1"),
                                          "host_bound");
    EXPECT_TRUE(says(compiled, "reduce-overhead") && says(compiled, "AMP is on")) << compiled;
    EXPECT_FALSE(says(compiled, "fused=True")) << compiled;
    const std::string graphs =
        adviceOf(launchBoundTraining().fact("compile.seen", "1").fact("compile.mode", "reduce-overhead"),
                 "host_bound");
    EXPECT_TRUE(says(graphs, "graph breaks")) << graphs;
}

TEST(HostBoundAdvice, ProposesALargerBatchOnlyWhereMemoryIsLeft) {
    const auto whereInUse = [](const std::string& bytes) {
        return adviceOf(launchBoundTraining()
                            .fact("memory.peak_reserved_bytes", bytes)
                            .fact("memory.total_bytes", "100000000000"),
                        "host_bound");
    };
    EXPECT_TRUE(says(whereInUse("3000000000"), "a larger batch (3 % of the GPU's 100.0 GB"))
        << whereInUse("3000000000");
    EXPECT_FALSE(says(whereInUse("95000000000"), "larger batch"));
}

TEST(InputAdvice, BeginsWithWorkersWhereThereAreNone) {
    const char* loader = "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__";
    EXPECT_TRUE(adviceOf(waitingForInput(loader), "input_bound").starts_with("Load in other processes"));
    const std::string advice =
        adviceOf(waitingForInput("dataloader").fact("dataloader.num_workers", "0"), "input_bound");
    EXPECT_TRUE(says(advice, "num_workers=N")) << advice;
}

TEST(InputAdvice, DoesNotProposeWorkersAndPinningAsIfThereWereNone) {
    const std::string advice = adviceOf(waitingForInput("dataloader")
                                            .fact("dataloader.num_workers", "4")
                                            .fact("dataloader.prefetch_factor", "2")
                                            .fact("dataloader.pin_memory", "1"),
                                        "input_bound");
    EXPECT_TRUE(says(advice, "the 4 workers there are do not keep up") && says(advice, "(now 2)")) << advice;
    EXPECT_FALSE(says(advice, "pin_memory") || says(advice, "num_workers=N")) << advice;
}

TEST(PageableAdvice, LooksOutsideOfADataLoaderThatPins) {
    EXPECT_TRUE(says(adviceOf(copyingPageable(), "pageable_copies"), "DataLoader(pin_memory=True)"));
    const std::string advice =
        adviceOf(copyingPageable().fact("dataloader.pin_memory", "1"), "pageable_copies");
    EXPECT_TRUE(says(advice, "tensor.pin_memory()")) << advice;
    EXPECT_FALSE(says(advice, "DataLoader(pin_memory=True)")) << advice;
}

} // namespace
} // namespace tacho
