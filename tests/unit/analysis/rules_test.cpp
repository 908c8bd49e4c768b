// SPDX-License-Identifier: Apache-2.0
// Each rule fires on its defect and is silent on the fixed twin.
#include "analyzer/rules/all_rules.h"
#include "tests/unit/trace_builder.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace tacho {
namespace {

using test::trace;
using test::TraceBuilder;
using namespace std::chrono_literals;

constexpr const char* kFp32Gemm = "ampere_sgemm_128x64_nn";
constexpr const char* kTf32Gemm = "cutlass_80_tensorop_s1688gemm_128x128_16x4_nt_align4";

std::vector<Finding> findingsOf(TraceBuilder& builder) {
    const Trace t = builder.build();
    return checkAllRules(t, measure(t));
}

std::optional<Finding> findingOf(TraceBuilder& builder, const std::string& rule) {
    for (Finding& finding : findingsOf(builder))
        if (finding.rule == rule)
            return std::move(finding);
    return std::nullopt;
}

/// Back to back kernels: the GPU is never idle.
TraceBuilder busyWith(const std::string& kernel) {
    TraceBuilder builder = trace();
    for (int i = 0; i < 20; ++i)
        builder.kernel(kernel, i * 1ms, 1ms, 500us);
    return builder;
}

TEST(TensorCoresUnused, FiresOnFp32MatrixWorkAndNotOnTf32) {
    auto defect = busyWith(kFp32Gemm);
    const auto finding = findingOf(defect, "tensor_cores_unused");
    ASSERT_TRUE(finding);
    EXPECT_NE(finding->advice.front().find("TF32"), std::string::npos);
    EXPECT_EQ(finding->severity, FindingSeverity::Critical);
    auto fixed = busyWith(kTf32Gemm);
    EXPECT_FALSE(findingOf(fixed, "tensor_cores_unused"));
}

TEST(TensorCoresUnused, IsSilentOnGpusWithoutTensorCores) {
    auto pascal = busyWith("maxwell_sgemm_128x64_nn");
    pascal.deviceNamed("NVIDIA GeForce GTX 1080 Ti", 6, 1);
    EXPECT_FALSE(findingOf(pascal, "tensor_cores_unused"));
    auto turing = busyWith("volta_sgemm_128x64_nn");
    turing.deviceNamed("NVIDIA GeForce GTX 1660 Ti", 7, 5, "TU116");
    EXPECT_FALSE(findingOf(turing, "tensor_cores_unused"));
    auto unnamed = busyWith("volta_sgemm_128x64_nn");
    unnamed.deviceNamed("", 7, 5, "TU117");
    EXPECT_FALSE(findingOf(unnamed, "tensor_cores_unused"));
}

TEST(TensorCoresUnused, OffersAmpAndNoTf32BeforeAmpere) {
    auto volta = busyWith("volta_sgemm_128x64_nn");
    volta.fact("torch.version", "2.11.0").deviceNamed("Tesla V100", 7, 0);
    const auto finding = findingOf(volta, "tensor_cores_unused");
    ASSERT_TRUE(finding);
    EXPECT_NE(finding->advice.front().find("AMP"), std::string::npos);
}

TEST(TensorCoresUnused, IsSilentWhereMatrixWorkIsATinyShare) {
    auto builder = busyWith("void at::native::vectorized_elementwise_kernel<4, F>(int)");
    builder.kernel(kFp32Gemm, 20ms, 200us, 500us);
    EXPECT_FALSE(findingOf(builder, "tensor_cores_unused"));
}

TEST(HostBound, FiresWhenLaunchesComeLateAndNotWhenTheyAreAhead) {
    TraceBuilder late = trace();
    for (int i = 0; i < 50; ++i)
        late.kernel("tiny", i * 50us, 5us, 2us);
    const auto finding = findingOf(late, "host_bound");
    ASSERT_TRUE(finding);
    EXPECT_GT(finding->atMost.share, 0.8);
    auto ahead = busyWith(kTf32Gemm);
    EXPECT_FALSE(findingOf(ahead, "host_bound"));
}

TEST(HostBound, DoesNotBlameLaunchesForADataLoader) {
    TraceBuilder builder = trace();
    for (int i = 0; i < 10; ++i)
        builder.kernel(kTf32Gemm, i * 10ms, 3ms, 5us)
            .range(RangeKind::Annotation, "enumerate(DataLoader)#_Iter.__next__", 3ms + i * 10ms, 6985us);
    EXPECT_FALSE(findingOf(builder, "host_bound"));
}

TEST(InputBound, FiresWhenTheGpuIsIdleInTheLoaderAndNotWhenBatchesAreReady) {
    TraceBuilder late = trace();
    TraceBuilder ready = trace();
    for (int i = 0; i < 10; ++i) {
        late.kernel(kTf32Gemm, i * 10ms, 6ms, 5us)
            .range(RangeKind::Phase, "dataloader", 6ms + i * 10ms, 3900us);
        ready.kernel(kTf32Gemm, i * 10ms, 9900us, 5us)
            .range(RangeKind::Phase, "dataloader", 2ms + i * 10ms, 3900us);
    }
    const auto finding = findingOf(late, "input_bound");
    ASSERT_TRUE(finding);
    EXPECT_NEAR(finding->atMost.share, 0.36, 0.01);
    ASSERT_TRUE(finding->where);
    EXPECT_EQ(finding->where->length(), 3900us);
    EXPECT_FALSE(findingOf(ready, "input_bound"));
}

TEST(PageableCopies, FiresOnPageableAndNotOnPinnedMemory) {
    const auto withCopies = [](MemoryKind kind) {
        TraceBuilder builder = trace();
        for (int i = 0; i < 10; ++i)
            builder.copy(CopyKind::HostToDevice, kind, 10'000'000, i * 2ms, 1ms)
                .kernel(kTf32Gemm, 1ms + i * 2ms, 1ms, 500us);
        return builder;
    };
    auto defect = withCopies(MemoryKind::Pageable);
    const auto finding = findingOf(defect, "pageable_copies");
    ASSERT_TRUE(finding);
    EXPECT_FALSE(finding->rows.empty());
    EXPECT_EQ(finding->atMost.perDevice, 10ms);
    auto fixed = withCopies(MemoryKind::Pinned);
    EXPECT_FALSE(findingOf(fixed, "pageable_copies"));
}

TEST(ExposedCopies, FiresOnBarePinnedCopiesAndNotOnHiddenOrPageableOnes) {
    const auto withCopies = [](MemoryKind kind, DurationNs kernelAt) {
        TraceBuilder builder = trace();
        for (int i = 0; i < 10; ++i)
            builder.copy(CopyKind::HostToDevice, kind, 10'000'000, i * 3ms, 1ms)
                .kernel(kTf32Gemm, i * 3ms + kernelAt, 2ms, 500us);
        return builder;
    };
    auto bare = withCopies(MemoryKind::Pinned, 1ms);
    const auto finding = findingOf(bare, "exposed_copies");
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->atMost.perDevice, 10ms);
    EXPECT_EQ(finding->advice.front().find("float64"), std::string::npos);
    auto doubles = withCopies(MemoryKind::Pinned, 1ms);
    doubles.fact("dataloader.types", "float64 int64");
    EXPECT_NE(findingOf(doubles, "exposed_copies")->advice.front().find("float64"), std::string::npos);
    auto hidden = withCopies(MemoryKind::Pinned, 0ms);
    EXPECT_FALSE(findingOf(hidden, "exposed_copies"));
    auto pageable = withCopies(MemoryKind::Pageable, 1ms);
    EXPECT_FALSE(findingOf(pageable, "exposed_copies"));
}

TEST(ExposedCopies, LeavesTheCopiesOfGlooToCommunication) {
    TraceBuilder builder = trace();
    for (int i = 0; i < 10; ++i)
        builder.kernel(kTf32Gemm, i * 10ms, 3ms)
            .copy(CopyKind::DeviceToHost, MemoryKind::Pinned, 10'000'000, i * 10ms + 3ms, 1ms)
            .range(RangeKind::Annotation, "gloo:all_reduce", 4ms + i * 10ms, 6ms);
    const auto findings = findingsOf(builder);
    ASSERT_FALSE(findings.empty());
    for (const Finding& finding : findings)
        EXPECT_NE(finding.rule, "exposed_copies");
}

TEST(SynchronousReads, FiresOnlyIfTheGpuIsIdleAfterTheSync) {
    TraceBuilder dry = trace();
    for (int i = 0; i < 10; ++i)
        dry.kernel(kTf32Gemm, i * 2ms, 1ms, 5us)
            .call(ApiKind::Synchronize, "cudaStreamSynchronize", 100us + i * 2ms, 950us);
    EXPECT_TRUE(findingOf(dry, "synchronous_reads"));
    auto covered = busyWith(kTf32Gemm);
    for (int i = 0; i < 10; ++i)
        covered.call(ApiKind::Synchronize, "cudaDeviceSynchronize", 100us + i * 2ms, 800us);
    EXPECT_FALSE(findingOf(covered, "synchronous_reads"));
}

TEST(ExposedCommunication, FiresOnBareCollectivesAndNotOnHiddenOnes) {
    TraceBuilder bare = trace();
    TraceBuilder hidden = trace();
    bare.process(0, 2);
    hidden.process(0, 2);
    for (int i = 0; i < 10; ++i) {
        bare.kernel(kTf32Gemm, i * 2ms, 1ms, 500us)
            .kernel("ncclDevKernel_AllReduce_Sum_f32", 1ms + i * 2ms, 1ms, 900us);
        hidden.kernel(kTf32Gemm, i * 2ms, 2ms, 500us)
            .kernel("ncclDevKernel_AllReduce_Sum_f32", 1ms + i * 2ms, 1ms, 900us);
    }
    const auto finding = findingOf(bare, "exposed_communication");
    ASSERT_TRUE(finding);
    EXPECT_NE(finding->advice.front().find("cannot tell"), std::string::npos);
    EXPECT_FALSE(findingOf(hidden, "exposed_communication"));
}

TEST(ExposedCommunication, SeesGlooOnTheHost) {
    TraceBuilder builder = trace();
    for (int i = 0; i < 10; ++i)
        builder.kernel(kTf32Gemm, i * 10ms, 3ms)
            .range(RangeKind::Annotation, "gloo:all_reduce", 3ms + i * 10ms, 6ms);
    const auto finding = findingOf(builder, "exposed_communication");
    ASSERT_TRUE(finding);
    EXPECT_NE(finding->title.find("gloo"), std::string::npos);
}

TEST(ExposedCommunication, NamesTheRankThatWaitsLeastAndNoBandwidth) {
    TraceBuilder builder = trace();
    for (int rank = 0; rank < 4; ++rank) {
        builder.process(rank, 4);
        const DurationNs wait = rank == 2 ? 100us : 4ms;
        for (int i = 0; i < 5; ++i)
            builder.kernel(kTf32Gemm, i * 10ms, 9900us - wait, 500us)
                .kernel("ncclKernel_AllReduce_RING_LL_Sum_float", 9900us - wait + i * 10ms, wait, 500us);
    }
    const auto finding = findingOf(builder, "exposed_communication");
    ASSERT_TRUE(finding);
    const std::string& who = finding->advice.front();
    EXPECT_NE(who.find("rank 2 waits least"), std::string::npos) << who;
    EXPECT_EQ(who.find("GB/s"), std::string::npos);
}

TEST(Findings, AreSortedByTimeAtStakeAndNoneIsUnderTwoPercent) {
    TraceBuilder builder = trace();
    for (int i = 0; i < 50; ++i)
        builder.kernel(kFp32Gemm, i * 100us, 30us, 2us);
    const auto findings = findingsOf(builder);
    ASSERT_GE(findings.size(), 2U);
    EXPECT_TRUE(std::is_sorted(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
        return a.atMost.share > b.atMost.share;
    }));
    for (const Finding& finding : findings) {
        EXPECT_GE(finding.atMost.share, kLeastShare);
        EXPECT_FALSE(finding.predicted);
        EXPECT_FALSE(finding.abstained.empty());
    }
}

} // namespace
} // namespace tacho
