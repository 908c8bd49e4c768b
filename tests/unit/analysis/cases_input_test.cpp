// SPDX-License-Identifier: Apache-2.0
// Public reports of trainings that waited for their input; see diagnosis.h.
#include "tests/unit/analysis/diagnosis.h"

#include <gtest/gtest.h>

namespace tacho {
namespace {

using test::addLayers;
using test::Diagnosis;
using test::kAllReduce;
using test::kElementwise;
using test::kFp32Gemm;
using test::kLoaderNext;
using test::kTensorGemm;
using test::trace;
using test::TraceBuilder;
using namespace std::chrono_literals;

// https://github.com/DeepLabCut/DeepLabCut/issues/460: the loader forces batch 1; with 8 the kernels are
// longer.
TEST(Cases, Case2_BatchOneHasTinyKernelsAndBatchEightDoesNot) {
    TraceBuilder one = trace();
    TraceBuilder eight = trace();
    for (int i = 0; i < 200; ++i) {
        one.kernel(kTensorGemm, i * 50us, 6us, 2us);
        eight.kernel(kTensorGemm, i * 50us, 48us, 2us);
    }
    const Diagnosis small(one), large(eight);
    EXPECT_EQ(small.limit(), Limit::Host);
    EXPECT_TRUE(small.says("larger batch"));
    EXPECT_EQ(large.limit(), Limit::Compute) << large.everything();
}

// https://github.com/DeepLabCut/DeepLabCut/issues/2845: batches are assembled from tensors one by one, in the
// loader.
TEST(Cases, Case4_TheIdleWindowGrowsWithTheBatch) {
    double before = 0;
    for (const int batch : {8, 16, 32}) {
        TraceBuilder builder = trace();
        const DurationNs busy = batch * 1ms, wait = batch * 2ms;
        for (int i = 0; i < 8; ++i) {
            addLayers(builder, kTensorGemm, i * (busy + wait), 10, busy / 10);
            builder.range(RangeKind::Annotation, kLoaderNext, i * (busy + wait) + busy, wait - 1ms);
        }
        const Diagnosis diagnosis(builder);
        EXPECT_EQ(diagnosis.limit(), Limit::Input) << diagnosis.everything();
        const auto idle = static_cast<double>(diagnosis.device().idle.length(IdleCause::DataLoading).count());
        EXPECT_GT(idle, 1.5 * before);
        before = idle;
    }
}

/// Ranks that all wait in their loaders, then compute, then reduce. `late`: further wait of a rank in a step.
TraceBuilder ranksThatLoad(DurationNs (*late)(int rank, int step)) {
    constexpr int kRanks = 4;
    TraceBuilder builder = trace();
    for (int rank = 0; rank < kRanks; ++rank) {
        builder.process(rank, kRanks);
        for (int i = 0; i < 8; ++i) {
            DurationNs longest{0};
            for (int other = 0; other < kRanks; ++other)
                longest = std::max(longest, late(other, i));
            const DurationNs start = i * 100ms, own = late(rank, i);
            builder.range(RangeKind::Annotation, kLoaderNext, start, 60ms + own)
                .kernel(kTensorGemm, start + 60ms + own + 20us, 20ms)
                .kernel(kAllReduce, start + 80ms + own + 20us, 2ms + longest - own);
        }
    }
    return builder;
}

// https://github.com/pytorch/pytorch/issues/22451: the ranks' loaders contend; no collective is in flight
// meanwhile.
TEST(Cases, Case7_AllRanksWaitForTheirLoadersAlike) {
    auto builder = ranksThatLoad([](int, int) { return DurationNs{0}; });
    const Diagnosis diagnosis(builder);
    EXPECT_EQ(diagnosis.limit(), Limit::Input) << diagnosis.everything();
    EXPECT_FALSE(diagnosis.says("straggler"));
}

// https://github.com/speechbrain/speechbrain/issues/1096: 20 workers times 4 ranks on too few cores: who is
// late changes from step to step.
TEST(Cases, Case8_RanksAreLateInTurnsAsTheirLoadersContend) {
    auto builder =
        ranksThatLoad([](int rank, int step) { return rank == step % 4 ? DurationNs{12ms} : DurationNs{0}; });
    const Diagnosis diagnosis(builder);
    EXPECT_EQ(diagnosis.limit(), Limit::Input) << diagnosis.everything();
    EXPECT_FALSE(diagnosis.says("straggler")) << diagnosis.everything();
}

/// Four steps of a loader without workers, or with.
TraceBuilder loading(const std::string& iterator, DurationNs wait) {
    TraceBuilder builder = trace();
    for (int i = 0; i < 6; ++i) {
        const DurationNs start = i * (50ms + wait);
        addLayers(builder, kTensorGemm, start, 50, 1ms);
        builder.range(RangeKind::Annotation, "enumerate(DataLoader)#" + iterator + ".__next__", start + 50ms,
                      wait);
    }
    return builder;
}

// https://github.com/MegEngine/Models/issues/2
TEST(Cases, Case10_TheGpuWaitsForALoaderWithoutWorkers) {
    auto builder = loading("_SingleProcessDataLoaderIter", 40ms);
    const Diagnosis diagnosis(builder);
    EXPECT_EQ(diagnosis.limit(), Limit::Input);
    EXPECT_TRUE(diagnosis.says("num_workers=N"));
}

// https://github.com/mozilla/TTS/issues/407: with four workers one step of four waits.
TEST(Cases, Case14_OneInFourStepsWaitsForTheLoader) {
    TraceBuilder builder = trace();
    DurationNs at{0};
    for (int i = 0; i < 16; ++i) {
        const DurationNs wait = i % 4 == 3 ? 120ms : 1ms;
        builder.step(i, at, 20ms + wait).range(RangeKind::Phase, "dataloader", at, wait - 100us);
        addLayers(builder, kTensorGemm, at + wait, 20, 1ms);
        at += 20ms + wait;
    }
    const Diagnosis diagnosis(builder);
    EXPECT_EQ(diagnosis.limit(), Limit::Input) << diagnosis.everything();
    const StepVariation& variation = diagnosis.device().variation;
    EXPECT_EQ(variation.slow.size(), 4U);
    EXPECT_EQ(variation.every, 4);
    EXPECT_EQ(variation.cause, stepClassOf(IdleCause::DataLoading));
    const StepSummary& steps = diagnosis.analysis().measurements.steps;
    EXPECT_EQ(steps.median, 21ms) << "what the mean, 51 ms, hides";
    EXPECT_EQ(steps.p95, 140ms);
}

// https://github.com/NVlabs/GCVit/issues/14: eight GPUs, eight busy cores.
TEST(Cases, Case16_AllRanksAreIdleTogetherWhileTheirHostsWork) {
    TraceBuilder builder = trace();
    for (int rank = 0; rank < 8; ++rank) {
        builder.process(rank, 8);
        for (int i = 0; i < 6; ++i) {
            addLayers(builder, kTensorGemm, i * 100ms, 20, 1ms);
            builder.kernel(kAllReduce, i * 100ms + 20ms, 2ms);
        }
    }
    const Diagnosis diagnosis(builder);
    EXPECT_EQ(diagnosis.limit(), Limit::Host) << diagnosis.everything();
    EXPECT_FALSE(diagnosis.says("straggler"));
}

// https://github.com/facebookresearch/mmf/issues/1166
TEST(Cases, Case17_SixtyPercentOfTheStepIsInTheDataLoader) {
    TraceBuilder builder = trace();
    for (int i = 0; i < 10; ++i) {
        builder.step(i, i * 100ms, 100ms).range(RangeKind::Nvtx, "dataloader", i * 100ms, 60ms);
        addLayers(builder, kTensorGemm, i * 100ms + 60ms, 40, 1ms);
    }
    const Diagnosis diagnosis(builder);
    EXPECT_EQ(diagnosis.limit(), Limit::Input);
    EXPECT_NEAR(diagnosis.analysis().verdict.share, 0.6, 0.04);
}

/// A pause before each step, with a copy of the batch in it or without.
TraceBuilder feeding(bool hasCopy, MemoryKind kind) {
    TraceBuilder builder = trace();
    for (int i = 0; i < 10; ++i) {
        if (hasCopy)
            builder.copy(CopyKind::HostToDevice, kind, 200'000'000, i * 100ms + 5ms, 65ms);
        addLayers(builder, kTensorGemm, i * 100ms + 70ms, 30, 1ms);
    }
    return builder;
}

// https://github.com/tensorflow/tensorflow/issues/3377: feed_dict copies from pageable memory before each
// step.
TEST(Cases, Case19_EachStepBeginsWithAPageableCopy) {
    auto builder = feeding(true, MemoryKind::Pageable);
    const Diagnosis diagnosis(builder);
    EXPECT_EQ(diagnosis.limit(), Limit::Copy) << diagnosis.everything();
    EXPECT_EQ(diagnosis.analysis().findings.front().rule, "pageable_copies");
}

// https://github.com/GPflow/GPflow/issues/406: feed_dict or a Cholesky on the CPU: measure before blaming.
TEST(Cases, Case20_TheSameGapWithoutACopyIsNotTheCopysFault) {
    auto builder = feeding(false, MemoryKind::Pageable);
    const Diagnosis diagnosis(builder);
    EXPECT_EQ(diagnosis.limit(), Limit::Host) << diagnosis.everything();
    EXPECT_FALSE(diagnosis.says("copies"));
}

// https://github.com/tensorflow/tensorflow/issues/13530: no prefetch to the device.
TEST(Cases, Case22_TheCopyOfABatchIsNotHiddenBehindTheStepBefore) {
    auto builder = feeding(true, MemoryKind::Pinned);
    const Diagnosis diagnosis(builder);
    EXPECT_EQ(diagnosis.limit(), Limit::Copy) << diagnosis.everything();
    EXPECT_TRUE(diagnosis.says("Copy ahead"));
    EXPECT_FALSE(diagnosis.says("pageable"));
}

// https://github.com/tensorflow/tensorflow/issues/43905: prefetched, but on the stream that computes.
TEST(Cases, Case23_CopiesOnTheComputeStreamNeverOverlap) {
    TraceBuilder builder = trace();
    for (int i = 0; i < 10; ++i) {
        builder.copy(CopyKind::HostToDevice, MemoryKind::Pinned, 100'000'000, i * 10ms, 4ms);
        addLayers(builder, kTensorGemm, i * 10ms + 4ms, 6, 1ms);
    }
    const Diagnosis diagnosis(builder);
    EXPECT_EQ(diagnosis.limit(), Limit::Copy) << diagnosis.everything();
    EXPECT_TRUE(diagnosis.says("none hidden behind kernels"));
    EXPECT_TRUE(diagnosis.says("a stream of its own"));
}

/// Steps of `busy` in 100 kernels, then a wait in which nothing is launched.
TraceBuilder pausing(const char* kernel, DurationNs busy, DurationNs wait) {
    TraceBuilder builder = trace();
    for (int i = 0; i < 10; ++i)
        addLayers(builder, kernel, i * (busy + wait), 100, busy / 100);
    addLayers(builder, kernel, 10 * (busy + wait), 1, busy / 100);
    return builder;
}

// https://github.com/DeepLabCut/DeepLabCut/issues/362: frames decoded on the CPU, batch 1; no range says so.
TEST(Cases, Case1_TheHostPreparesFramesWhileTheGpuIsIdle) {
    auto builder = pausing(kFp32Gemm, 5ms, 95ms);
    const Diagnosis diagnosis(builder);
    EXPECT_EQ(diagnosis.limit(), Limit::Host);
    EXPECT_TRUE(diagnosis.says("10 pauses")) << diagnosis.everything();
    EXPECT_FALSE(diagnosis.says("torch.compile")) << "launches are not late, the host does something else";
    EXPECT_FALSE(diagnosis.says("CUDA graph"));
    EXPECT_EQ(diagnosis.analysis().findings.front().rule, "host_bound") << "precision comes last";
}

// https://github.com/voicepaw/so-vits-svc-fork/issues/309: 1.4 to 2.5 iterations per second.
TEST(Cases, Case11_FourWorkersTakeTheLoaderOutOfTheStep) {
    auto none = loading("_SingleProcessDataLoaderIter", 40ms);
    auto four = loading("_MultiProcessingDataLoaderIter", 500us);
    const Diagnosis before(none), after(four);
    EXPECT_EQ(before.limit(), Limit::Input);
    EXPECT_NE(after.limit(), Limit::Input);
    EXPECT_EQ(after.finding("input_bound"), nullptr) << after.everything();
    EXPECT_NEAR(before.finding("input_bound")->atMost.share, 0.4, 0.01) << "five waits of 40 ms in 500 ms";
}

// https://github.com/rhasspy/piper/issues/121: five workers change nothing, the main process is the one at
// 100 %.
TEST(Cases, Case13_TheMainThreadCollatesWhileTheLoaderIsReady) {
    auto builder = pausing(kTensorGemm, 30ms, 70ms);
    for (int i = 0; i < 10; ++i)
        builder.range(RangeKind::Annotation, kLoaderNext, i * 100ms + 31ms, 1ms)
            .range(RangeKind::Operator, "aten::stack", i * 100ms + 33ms, 60ms);
    const Diagnosis diagnosis(builder);
    EXPECT_EQ(diagnosis.limit(), Limit::Host);
    EXPECT_TRUE(diagnosis.says("10 pauses")) << diagnosis.everything();
    EXPECT_FALSE(diagnosis.says("More DataLoader workers"));
}

// https://github.com/openxla/xprof/issues/120
TEST(Cases, Case25_NinetyPercentIdleWithoutLaunchesIsNotLaunchBound) {
    auto builder = pausing(kElementwise, 10ms, 90ms);
    const Diagnosis diagnosis(builder);
    EXPECT_EQ(diagnosis.limit(), Limit::Host);
    EXPECT_TRUE(diagnosis.says("idle 90.0 %") || diagnosis.says("idle 89.9 %")) << diagnosis.everything();
    EXPECT_FALSE(diagnosis.says("Launch less"));
}

} // namespace
} // namespace tacho
