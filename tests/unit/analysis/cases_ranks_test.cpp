// SPDX-License-Identifier: Apache-2.0
// Public reports about several GPUs, and about newer ones that were not faster; see diagnosis.h.
#include "tests/unit/analysis/diagnosis.h"

#include <gtest/gtest.h>

namespace tacho {
namespace {

using test::addLayers;
using test::Diagnosis;
using test::kAllReduce;
using test::kTensorGemm;
using test::trace;
using test::TraceBuilder;
using namespace std::chrono_literals;

/// Of one rank in one step of 100 ms: when it is done computing, and how long its kernels take.
struct RankStep {
    DurationNs compute{0};
    DurationNs late{0}; ///< before it begins
};

/// Ranks that compute, then reduce; the collective ends for all when the last has come and `exchange` is
/// over.
TraceBuilder ranksThatReduce(int ranks, DurationNs exchange, RankStep (*of)(int rank, int step)) {
    TraceBuilder builder = trace();
    for (int rank = 0; rank < ranks; ++rank) {
        builder.process(rank, ranks);
        for (int i = 0; i < 8; ++i) {
            DurationNs last{0};
            for (int other = 0; other < ranks; ++other)
                last = std::max(last, of(other, i).late + of(other, i).compute);
            const RankStep own = of(rank, i);
            const DurationNs at = i * 100ms, done = own.late + own.compute;
            builder.step(i, at, 100ms);
            addLayers(builder, kTensorGemm, at + own.late, 10, own.compute / 10);
            builder.kernel(kAllReduce, at + done, last - done + exchange);
        }
    }
    return builder;
}

// https://github.com/pytorch/pytorch/issues/18522: the problem is too small for several GPUs.
TEST(Cases, Case80_EachGpuHasTooLittleWork) {
    TraceBuilder builder = trace();
    for (int rank = 0; rank < 2; ++rank) {
        builder.process(rank, 2);
        for (int i = 0; i < 300; ++i)
            builder.kernel(i % 30 == 0 ? kAllReduce : "tiny", i * 40us, 5us, 2us);
    }
    const Diagnosis diagnosis(builder);
    EXPECT_EQ(diagnosis.limit(), Limit::Host) << diagnosis.everything();
    EXPECT_FALSE(diagnosis.says("straggler"));
}

// https://github.com/huggingface/transformers/issues/9371,
// https://github.com/The-AI-Summer/pytorch-ddp/issues/1,
// https://github.com/huggingface/sentence-transformers/issues/2864: no NVLink, no peer access; more exchange
// than work.
TEST(Cases, Case82And83And86_TheExchangeTakesLongerThanTheWork) {
    auto builder = ranksThatReduce(2, 60ms, [](int, int) { return RankStep{30ms, 5ms}; });
    const Diagnosis diagnosis(builder);
    EXPECT_EQ(diagnosis.limit(), Limit::Communication) << diagnosis.everything();
    EXPECT_TRUE(diagnosis.says("no_sync()"));
    EXPECT_TRUE(diagnosis.says("All ranks wait alike"));
    EXPECT_FALSE(diagnosis.says("straggler"));
}

// https://github.com/jax-ml/jax/issues/4666: nothing of it runs beside compute.
TEST(Cases, Case97_NoPartOfTheExchangeIsHidden) {
    auto builder = ranksThatReduce(4, 40ms, [](int, int) { return RankStep{50ms, 5ms}; });
    const Diagnosis diagnosis(builder);
    EXPECT_EQ(diagnosis.device().steady.communicationExposed, diagnosis.device().steady.communication);
    EXPECT_NE(diagnosis.finding("exposed_communication"), nullptr);
}

// https://github.com/horovod/horovod/issues/2391 and https://github.com/NVIDIA/nccl/issues/893: the kernel is
// slow as it waits for a rank that begins late.
TEST(Cases, Case91And92_ACollectiveWaitsForTheLateRank) {
    auto builder = ranksThatReduce(4, 1ms, [](int rank, int) {
        return RankStep{40ms, rank == 2 ? DurationNs{40ms} : DurationNs{2ms}};
    });
    const Diagnosis diagnosis(builder);
    EXPECT_EQ(diagnosis.limit(), Limit::Communication) << diagnosis.everything();
    EXPECT_TRUE(diagnosis.says("rank 2 waits least"));
    EXPECT_TRUE(diagnosis.says("the link is not the limit"));
    EXPECT_FALSE(diagnosis.says("GB/s"));
}

// https://github.com/NVIDIA/nccl/issues/701: 228 bytes take 4 ms.
TEST(Cases, Case94_ATinyCollectiveThatTakesLongIsALateRank) {
    auto builder = ranksThatReduce(2, 20us, [](int rank, int) {
        return RankStep{60ms, rank == 1 ? DurationNs{35ms} : DurationNs{1ms}};
    });
    const Diagnosis together(builder);
    EXPECT_TRUE(together.says("rank 1 waits least")) << together.everything();
    EXPECT_FALSE(together.says("bandwidth"));
    TraceBuilder one = trace();
    one.process(0, 2);
    for (int i = 0; i < 8; ++i) {
        addLayers(one, kTensorGemm, i * 10ms, 5, 1ms);
        one.kernel(kAllReduce, i * 10ms + 5ms, 4ms);
    }
    const Diagnosis alone(one);
    EXPECT_TRUE(alone.says("cannot tell a late rank from a slow link")) << alone.everything();
    EXPECT_FALSE(alone.says("bandwidth"));
}

// https://github.com/pytorch/pytorch/issues/17209: DataParallel copies the model to each GPU in each step.
TEST(Cases, Case79_TheModelIsCopiedBetweenGpusInEachStep) {
    TraceBuilder builder = trace();
    for (int i = 0; i < 10; ++i) {
        builder.copy(CopyKind::PeerToPeer, MemoryKind::Device, 500'000'000, i * 100ms, 60ms);
        addLayers(builder, kTensorGemm, i * 100ms + 60ms, 40, 1ms);
    }
    const Diagnosis diagnosis(builder);
    EXPECT_EQ(diagnosis.limit(), Limit::Communication) << diagnosis.everything();
    EXPECT_TRUE(diagnosis.says("between GPUs")) << diagnosis.everything();
    EXPECT_TRUE(diagnosis.says("DistributedDataParallel"));
    EXPECT_FALSE(diagnosis.says("ealthy"));
}

// https://github.com/NVIDIA/nccl-tests/issues/184: the first call takes 5 s, as it sets up everything.
TEST(Cases, Case98_TheFirstCollectiveSaysNothingOfTheOthers) {
    TraceBuilder builder = trace();
    for (int rank = 0; rank < 2; ++rank) {
        builder.process(rank, 2);
        const DurationNs first = rank == 0 ? 5s : 3s;
        builder.step(0, 0ms, 5100ms).kernel(kAllReduce, 5s - first + 1ms, first);
        for (int i = 1; i < 10; ++i) {
            builder.step(i, 5s + i * 100ms, 100ms);
            addLayers(builder, kTensorGemm, 5s + i * 100ms, 80, 1ms);
            builder.kernel(kAllReduce, 5080ms + i * 100ms, 20ms);
        }
    }
    const Diagnosis diagnosis(builder);
    EXPECT_FALSE(diagnosis.says("straggler")) << diagnosis.everything();
    EXPECT_FALSE(diagnosis.says("waits least")) << diagnosis.everything();
    EXPECT_NEAR(diagnosis.analysis().verdict.share, 0.8, 0.02);
}

// https://github.com/NVIDIA/DeepLearningExamples/issues/1336: the profiler made the run two to four times as
// slow.
TEST(Cases, Case100_SlowLaunchCallsMeanThatTheProfiledRunIsNotTheRealOne) {
    TraceBuilder usual = trace();
    TraceBuilder slow = trace();
    for (int i = 0; i < 200; ++i) {
        usual.kernel("tiny", i * 80us, 5us, 2us);
        slow.slowKernel("tiny", i * 80us, 5us, 60us);
    }
    EXPECT_FALSE(Diagnosis(usual).says("recording itself"));
    const Diagnosis diagnosis(slow);
    EXPECT_EQ(diagnosis.limit(), Limit::Host);
    EXPECT_TRUE(diagnosis.says("recording itself")) << diagnosis.everything();
}

// https://github.com/Dao-AILab/flash-attention/issues/1021: fine with six cards; the seventh is slow.
TEST(Cases, Case101_OneCardIsSlowAndAllOthersWaitForIt) {
    auto builder = ranksThatReduce(8, 1ms, [](int rank, int) {
        return RankStep{rank == 6 ? DurationNs{80ms} : DurationNs{40ms}, 2ms};
    });
    const Diagnosis diagnosis(builder);
    EXPECT_EQ(diagnosis.limit(), Limit::Communication);
    EXPECT_TRUE(diagnosis.says("rank 6 waits least")) << diagnosis.everything();
    EXPECT_TRUE(diagnosis.says("kernels take 2.0 times as long")) << diagnosis.everything();
}

// https://github.com/pytorch/torchtitan/issues/676 and https://github.com/horovod/horovod/issues/659: 10 Gbit
// Ethernet moves at most 1.25 GB/s.
TEST(Cases, Case88And89_TheLinkBetweenNodesIsSlow) {
    TraceBuilder builder = trace();
    for (int rank = 0; rank < 4; ++rank) {
        builder.process(rank, 4);
        for (int i = 0; i < 8; ++i) {
            const DurationNs at = i * 200ms;
            addLayers(builder, kTensorGemm, at, 10, 8ms);
            builder.collective(CollectiveKind::AllReduce, 100'000'000, at + 80ms - 12us, 10us)
                .kernel(kAllReduce, at + 80ms, 120ms);
        }
    }
    const Diagnosis diagnosis(builder);
    EXPECT_EQ(diagnosis.limit(), Limit::Communication) << diagnosis.everything();
    EXPECT_TRUE(diagnosis.says("All ranks wait alike"));
    EXPECT_FALSE(diagnosis.says("straggler"));
    const auto& collectives = diagnosis.analysis().measurements.collectives;
    ASSERT_FALSE(collectives.empty());
    EXPECT_NEAR(collectives.front().busBandwidth().value_or(0), 1.25e9, 0.01e9) << "far from NVLink, or PCIe";
}

// https://github.com/NVIDIA/nccl/issues/1428: beside an all-gather a product takes 2.08 ms instead of 1.18
// ms.
TEST(Cases, Case95_HidingCommunicationIsNotFree) {
    TraceBuilder builder = trace();
    for (int i = 0; i < 10; ++i) {
        builder.kernel(kTensorGemm, i * 4ms, 1180us).kernel(kTensorGemm, i * 4ms + 1180us, 2080us);
        builder.kernel("ncclDevKernel_AllGather_RING_LL(ncclDevKernelArgsStorage<4096>)", i * 4ms + 1180us,
                       2080us);
    }
    const Diagnosis diagnosis(builder);
    ASSERT_TRUE(diagnosis.device().slowdown.has_value());
    EXPECT_NEAR(diagnosis.device().slowdown->factor(), 2.08 / 1.18, 0.001);
    EXPECT_EQ(diagnosis.device().steady.communicationExposed, 0ms);
}

} // namespace
} // namespace tacho
