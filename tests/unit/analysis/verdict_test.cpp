// SPDX-License-Identifier: Apache-2.0
// The shapes of real cases, and what must be said of them.
#include "analyzer/report/analysis.h"
#include "tests/unit/trace_builder.h"

#include <gtest/gtest.h>

namespace tacho {
namespace {

using test::trace;
using test::TraceBuilder;
using namespace std::chrono_literals;

constexpr const char* kGemm = "nvjet_tst_192x192_64x4_2x1_v_bz_coopB_bias_TNN";

Verdict verdictOf(TraceBuilder& builder) {
    return analyse(builder.build()).verdict;
}

bool says(const Verdict& verdict, const std::string& words) {
    return verdict.text.find(words) != std::string::npos;
}

TEST(Verdict, IsHostWhenTinyKernelsAreLaunchedOneByOne) {
    TraceBuilder builder = trace();
    for (int i = 0; i < 100; ++i)
        builder.kernel("tiny", i * 50us, 8us, 2us);
    const Verdict verdict = verdictOf(builder);
    EXPECT_EQ(verdict.limit, Limit::Host);
    EXPECT_TRUE(says(verdict, "median kernel 8.0 us")) << verdict.text;
}

TEST(Verdict, IsInputWhenTheGpuWaitsInTheDataLoader) {
    TraceBuilder builder = trace();
    for (int i = 0; i < 6; ++i)
        builder.kernel(kGemm, i * 100ms, 60ms, 2us)
            .range(RangeKind::Annotation, "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__",
                   i * 100ms + 60ms, 39ms);
    const Verdict verdict = verdictOf(builder);
    EXPECT_EQ(verdict.limit, Limit::Input);
    EXPECT_TRUE(says(verdict, "234.0 ms in 6 calls")) << verdict.text;
}

TEST(Verdict, IsWhatTheFirstFindingIsAboutEvenIfAnotherTakesMoreTime) {
    TraceBuilder builder = trace();
    for (int i = 0; i < 6; ++i)
        builder.kernel("ampere_sgemm_128x64_nn", i * 100ms, 60ms, 2us)
            .range(RangeKind::Phase, "dataloader", i * 100ms + 60ms, 39ms);
    const Analysis analysis = analyse(builder.build());
    EXPECT_EQ(analysis.verdict.limit, Limit::Input);
    ASSERT_EQ(analysis.findings.size(), 2U);
    EXPECT_EQ(analysis.findings.front().rule, "input_bound");
    EXPECT_LT(analysis.findings.front().atMost.share, analysis.findings.back().atMost.share);
}

TEST(Verdict, IsComputeWhenLoadersKeepUp) {
    TraceBuilder builder = trace();
    for (int i = 0; i < 6; ++i)
        builder.kernel(kGemm, i * 100ms, 85ms, 2us)
            .range(RangeKind::Annotation, "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__",
                   i * 100ms + 85ms, 1ms);
    EXPECT_EQ(verdictOf(builder).limit, Limit::Compute);
}

TEST(Verdict, IsCopyAndSaysPinnedWhenTheGpuOnlyReceives) {
    TraceBuilder builder = trace();
    for (int i = 0; i < 10; ++i)
        builder.copy(CopyKind::HostToDevice, MemoryKind::Pinned, 2'500'000'000, i * 100ms, 97ms)
            .kernel(kGemm, i * 100ms + 97ms, 3ms, 500us);
    const Verdict verdict = verdictOf(builder);
    EXPECT_EQ(verdict.limit, Limit::Copy);
    EXPECT_TRUE(says(verdict, "pinned H2D") && says(verdict, "none hidden") && says(verdict, "GB/s"))
        << verdict.text;
    EXPECT_FALSE(says(verdict, "pageable"));
}

TEST(Verdict, IsSyncWhenTheHostDrainsTheGpuAllTheTime) {
    TraceBuilder builder = trace();
    for (int i = 0; i < 20; ++i)
        builder.kernel(kGemm, i * 2ms, 1ms, 5us)
            .call(ApiKind::Synchronize, "cudaStreamSynchronize", 100us + i * 2ms, 950us);
    EXPECT_EQ(verdictOf(builder).limit, Limit::Sync);
}

TEST(Verdict, IsNotSyncWhenTheGpuIsBusyMeanwhile) {
    TraceBuilder builder = trace();
    for (int i = 0; i < 20; ++i)
        builder.kernel(kGemm, i * 1ms, 1ms, 500us);
    builder.call(ApiKind::Synchronize, "cudaDeviceSynchronize", 1ms, 15ms);
    EXPECT_EQ(verdictOf(builder).limit, Limit::Healthy);
}

TEST(Verdict, IsStartupWhenTheDriverCompiledForLongerThanTheGpuWorked) {
    TraceBuilder builder = trace();
    builder.jit(JitKind::Compile, 0s, 6s)
        .jit(JitKind::Compile, 6s, 2s)
        .kernel("old", 8s, 1s)
        .kernel("b", 9s, 1s);
    const Verdict verdict = verdictOf(builder);
    EXPECT_EQ(verdict.limit, Limit::Startup);
    EXPECT_NEAR(verdict.share, 0.8, 1e-9);
    EXPECT_TRUE(says(verdict, "2 modules without code for")) << verdict.text;
}

TEST(Verdict, IsNotStartupWhenAShortProgramLoadsItsCodeInMilliseconds) {
    TraceBuilder builder = trace();
    builder.jit(JitKind::CacheLoad, 0s, 3ms).kernel(kGemm, 3ms, 1ms);
    EXPECT_EQ(verdictOf(builder).limit, Limit::Healthy);
}

TEST(Verdict, IsNotStartupWhenThereAreStepsToJudge) {
    TraceBuilder builder = trace();
    builder.jit(JitKind::Compile, 0s, 8s);
    for (int i = 0; i < 10; ++i)
        builder.step(i, 8s + i * 10ms, 10ms).kernel(kGemm, 8s + i * 10ms, 10ms, 2us);
    EXPECT_EQ(verdictOf(builder).limit, Limit::Healthy);
}

TEST(Verdict, IsStartupWhenTheFirstLaunchesLoadCode) {
    TraceBuilder builder = trace();
    builder.kernel("a", 0ms, 10ms).slowKernel("b", 700ms, 10ms, 650ms).slowKernel("c", 1000ms, 10ms, 280ms);
    EXPECT_EQ(verdictOf(builder).limit, Limit::Startup);
}

TEST(Verdict, LeavesWarmUpStepsOut) {
    TraceBuilder builder = trace();
    builder.kernel("a", 0ms, 1ms).slowKernel("b", 700ms, 10ms, 650ms).step(0, 0ms, 700ms);
    for (int i = 1; i <= 10; ++i)
        builder.step(i, 700ms + (i - 1) * 20ms, 20ms).kernel(kGemm, 710ms + (i - 1) * 20ms, 20ms, 3ms);
    EXPECT_EQ(verdictOf(builder).limit, Limit::Healthy);
}

TEST(Verdict, NamesTheStragglerOfSeveralRanks) {
    TraceBuilder builder = trace();
    for (int rank = 0; rank < 3; ++rank) {
        builder.process(rank, 3);
        const DurationNs wait = rank == 1 ? 200us : 6ms;
        for (int i = 0; i < 5; ++i)
            builder.kernel(kGemm, i * 10ms, 2ms, 500us)
                .kernel("ncclKernel_SendRecv_RING_SIMPLE_Sum_int8_t", i * 10ms + 9900us - wait, wait, 2us);
    }
    const Verdict verdict = verdictOf(builder);
    EXPECT_EQ(verdict.limit, Limit::Communication);
    EXPECT_TRUE(says(verdict, "rank 1 waits least")) << verdict.text;
}

TEST(Verdict, DoesNotJudgeOneRankAlone) {
    TraceBuilder builder = trace();
    builder.process(0, 8);
    for (int i = 0; i < 5; ++i)
        builder.kernel(kGemm, i * 10ms, 1ms, 2us)
            .kernel("ncclKernel_AllReduce_RING_LL_Sum_float", i * 10ms + 5ms, 4ms, 2us);
    const Verdict verdict = verdictOf(builder);
    EXPECT_EQ(verdict.limit, Limit::Communication);
    EXPECT_TRUE(says(verdict, "one rank of 8") && says(verdict, "cannot tell")) << verdict.text;
}

TEST(Verdict, SaysThatNothingWasRecordedAndWhy) {
    TraceBuilder builder = trace();
    builder.health(Severity::Error, "nsys_diagnostic", "CUDA driver 13.1 is newer than the tracer");
    const Verdict verdict = verdictOf(builder);
    EXPECT_EQ(verdict.limit, Limit::NoGpuActivity);
    EXPECT_TRUE(says(verdict, "No CUDA activity was recorded") && says(verdict, "driver 13.1"))
        << verdict.text;
    EXPECT_FALSE(says(verdict, "%"));
}

} // namespace
} // namespace tacho
