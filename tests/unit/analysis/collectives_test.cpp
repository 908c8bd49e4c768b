// SPDX-License-Identifier: Apache-2.0
#include "analyzer/metrics/collectives.h"
#include "analyzer/metrics/measurements.h"
#include "analyzer/metrics/overlap_slowdown.h"
#include "analyzer/model/collective_kind.h"
#include "tests/unit/trace_builder.h"

#include <gtest/gtest.h>

namespace tacho {
namespace {

using test::trace;
using namespace std::chrono_literals;

constexpr const char* kAllReduce =
    "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)";

std::vector<CollectiveRun> runsOf(const Trace& trace) {
    return listCollectives(trace, DeviceRows(trace), judgeKernelNames(trace));
}

TEST(CollectiveKind, IsToldByTheNamesOfLibrariesFrameworksAndKernels) {
    EXPECT_EQ(collectiveKindOf("ncclAllReduce"), CollectiveKind::AllReduce);
    EXPECT_EQ(collectiveKindOf("allreduce"), CollectiveKind::AllReduce);
    EXPECT_EQ(collectiveKindOf("gloo:all_reduce"), CollectiveKind::AllReduce);
    EXPECT_EQ(collectiveKindOf("nccl:_all_gather_base"), CollectiveKind::AllGather);
    EXPECT_EQ(collectiveKindOf("_reduce_scatter_base"), CollectiveKind::ReduceScatter);
    EXPECT_EQ(collectiveKindOf("all_to_allv"), CollectiveKind::AllToAll);
    EXPECT_EQ(collectiveKindOf("MPI_Bcast"), CollectiveKind::Broadcast);
    EXPECT_EQ(collectiveKindOf("ncclKernel_SendRecv_RING_SIMPLE_Sum_int8_t"), CollectiveKind::SendReceive);
    EXPECT_EQ(collectiveKindOf("ncclDevKernel_Reduce_Sum_f32_RING_LL"), CollectiveKind::Reduce);
    EXPECT_EQ(collectiveKindOf("ncclDevKernel_Generic"), CollectiveKind::Unknown);
    EXPECT_EQ(collectiveKindOf("ncclCommInitRank"), CollectiveKind::Unknown);
}

TEST(CollectiveKind, NamesInFilesAreReadBackAsTheSameKind) {
    for (int kind = 0; kind <= static_cast<int>(CollectiveKind::Barrier); ++kind)
        EXPECT_EQ(collectiveKindOf(nameOf(static_cast<CollectiveKind>(kind))),
                  static_cast<CollectiveKind>(kind));
}

TEST(Collectives, KernelHasTheSizeOfTheCallThatLaunchedIt) {
    const Trace one = trace()
                          .process(0, 4)
                          .collective(CollectiveKind::AllReduce, 8'000'000, 80us, 20us)
                          .kernel(kAllReduce, 100us, 1ms)
                          .kernel(kAllReduce, 2ms, 1ms)
                          .build();
    const auto runs = runsOf(one);
    ASSERT_EQ(runs.size(), 2U);
    EXPECT_EQ(runs[0].bytes, 8'000'000);
    EXPECT_EQ(runs[0].ranks, 4);
    EXPECT_EQ(runs[0].backend, "nccl");
    EXPECT_EQ(runs[1].bytes, -1) << "nothing tells of the second";
    EXPECT_EQ(runs[1].kind, CollectiveKind::AllReduce) << "but its name";
}

TEST(Collectives, KernelOfAGroupCarriesAllThatTheGroupAsksFor) {
    const Trace one = trace()
                          .process(0, 2)
                          .collective(CollectiveKind::AllReduce, 1'000'000, 70us, 30us)
                          .collective(CollectiveKind::AllReduce, 500'000, 75us, 25us)
                          .kernel(kAllReduce, 100us, 1ms)
                          .build();
    EXPECT_EQ(runsOf(one).at(0).bytes, 1'500'000);
}

TEST(Collectives, CallOfAnotherThreadTellsNothing) {
    const Trace one = trace()
                          .process(0, 2)
                          .kernel(kAllReduce, 100us, 1ms)
                          .thread("other")
                          .collective(CollectiveKind::AllReduce, 1'000'000, 70us, 30us)
                          .build();
    EXPECT_EQ(runsOf(one).at(0).bytes, -1);
}

TEST(Collectives, BusBandwidthOfAllReduceIsThatOfNcclTests) {
    const Trace one = trace()
                          .process(0, 4)
                          .collective(CollectiveKind::AllReduce, 100'000'000, 80us, 20us)
                          .kernel(kAllReduce, 100us, 10ms)
                          .build();
    const auto summary = summariseCollectives(runsOf(one)).at(0);
    EXPECT_DOUBLE_EQ(summary.algorithmBandwidth().value(), 10e9);
    EXPECT_DOUBLE_EQ(summary.busBandwidth().value(), 15e9);
    EXPECT_DOUBLE_EQ(busFactor(CollectiveKind::ReduceScatter, 4), 0.75);
    EXPECT_DOUBLE_EQ(busFactor(CollectiveKind::Broadcast, 4), 1);
    EXPECT_DOUBLE_EQ(busFactor(CollectiveKind::AllReduce, 1), 0);
}

/// 228 bytes that take 4 ms: nobody's link is that slow.
TEST(Collectives, TinyCollectiveThatTakesLongHasNoBandwidth) {
    const Trace one = trace()
                          .process(0, 4)
                          .collective(CollectiveKind::AllReduce, 228, 80us, 20us)
                          .kernel(kAllReduce, 100us, 4ms)
                          .build();
    const auto summary = summariseCollectives(runsOf(one)).at(0);
    EXPECT_FALSE(summary.algorithmBandwidth());
    EXPECT_FALSE(summary.busBandwidth());
}

test::TraceBuilder twoRanks() {
    test::TraceBuilder ranks;
    ranks.process(0, 2)
        .step(0, 0us, 10ms)
        .collective(CollectiveKind::AllReduce, 4'000'000, 80us, 20us)
        .kernel(kAllReduce, 100us, 5ms)
        .kernel("gemm", 9ms, 100us)
        .process(1, 2)
        .step(0, 0us, 10ms)
        .collective(CollectiveKind::AllReduce, 4'000'000, 3980us, 20us)
        .kernel(kAllReduce, 4ms, 1ms)
        .kernel("gemm", 9ms, 100us);
    return ranks;
}

TEST(Collectives, RankThatStaysLongerWaitsForTheOneThatComesLast) {
    const auto runs = runsOf(twoRanks().build());
    ASSERT_EQ(runs.size(), 2U);
    EXPECT_EQ(runs[0].transfer.value(), 1ms);
    EXPECT_EQ(runs[0].wait(), 4ms);
    EXPECT_EQ(runs[1].wait(), 0ms);
    EXPECT_DOUBLE_EQ(summariseCollectives(runs).at(0).algorithmBandwidth().value(), 4e9)
        << "of the time that the data took";
}

TEST(Collectives, WaitForALateRankIsAClassOfTheStep) {
    const Measurements measurements = measure(twoRanks().build());
    const StepParts& first = measurements.devices.at(0).steps.at(0).parts;
    EXPECT_EQ(first[static_cast<std::size_t>(StepClass::RankWait)], 4ms);
    EXPECT_EQ(first[static_cast<std::size_t>(StepClass::Communication)], 1ms);
    const StepParts& second = measurements.devices.at(1).steps.at(0).parts;
    EXPECT_EQ(second[static_cast<std::size_t>(StepClass::RankWait)], 0ms);
    EXPECT_EQ(second[static_cast<std::size_t>(StepClass::Communication)], 1ms);
}

TEST(Collectives, OneRankAloneCannotTellWaitingFromTransfer) {
    const Trace one = trace().process(0, 2).kernel(kAllReduce, 100us, 5ms).build();
    EXPECT_FALSE(runsOf(one).at(0).transfer);
    EXPECT_FALSE(summariseCollectives(runsOf(one)).at(0).wait);
}

TEST(Collectives, OfRanksRecordedOverDifferentTimesAreNotTakenForTheSame) {
    Trace ranks = twoRanks()
                      .collective(CollectiveKind::AllReduce, 4'000'000, 5980us, 20us)
                      .kernel(kAllReduce, 6ms, 1ms)
                      .build();
    EXPECT_FALSE(runsOf(ranks).at(0).transfer) << "one rank has more of them";
    ranks = twoRanks().build();
    ranks.collectives.back().bytes = 5;
    EXPECT_FALSE(runsOf(ranks).at(0).transfer) << "sizes differ";
}

TEST(Collectives, ExposedIsWhatNoComputeKernelHides) {
    const Trace one =
        trace().process(0, 2).kernel(kAllReduce, 100us, 1ms).kernel("gemm", 200us, 300us).build();
    EXPECT_EQ(runsOf(one).at(0).exposed, 700us);
}

/// What PyTorch's gloo threads call for a tensor of the GPU.
TEST(Collectives, GlooIsSeenBetweenItsCudaCalls) {
    const Trace one = trace()
                          .process(0, 2)
                          .kernel("gemm", 10us, 100us)
                          .kernel("gemm", 9ms, 100us)
                          .thread("pt_gloo_runloop")
                          .call(ApiKind::Synchronize, "cudaStreamSynchronize", 200us, 100us)
                          .copy(CopyKind::HostToDevice, MemoryKind::Pinned, 8'000'000, 8300us, 100us)
                          .build();
    const auto runs = runsOf(one);
    ASSERT_EQ(runs.size(), 1U);
    EXPECT_EQ(runs[0].backend, "gloo");
    EXPECT_FALSE(runs[0].device);
    EXPECT_EQ(runs[0].interval, (Interval{TimeNs{300us}, TimeNs{8300us}}));
    EXPECT_EQ(runs[0].bytes, 8'000'000);
    EXPECT_EQ(measure(one).devices.at(0).wholeIdle.length(IdleCause::HostCommunication), 8ms);
}

TEST(Collectives, WhatDdpExchangesInBackwardIsAnAllReduce) {
    test::TraceBuilder builder;
    builder.process(0, 2)
        .fact("ddp.seen", "1")
        .fact("ddp.ranks", "2")
        .fact("ddp.comm_hook", "0")
        .fact("distributed.backend", "gloo")
        .range(RangeKind::Phase, "backward", 100us, 9ms)
        .thread("pt_gloo_runloop");
    for (const DurationNs at : {DurationNs{200us}, DurationNs{10ms}}) // in backward, and after it
        builder.call(ApiKind::Synchronize, "cudaStreamSynchronize", at, 100us)
            .copy(CopyKind::HostToDevice, MemoryKind::Pinned, 8'000'000, at + 8ms, 100us);
    const auto runs = runsOf(builder.build());
    ASSERT_EQ(runs.size(), 2U);
    EXPECT_EQ(runs[0].kind, CollectiveKind::AllReduce);
    EXPECT_EQ(runs[0].ranks, 2);
    EXPECT_EQ(runs[1].kind, CollectiveKind::Unknown);
}

TEST(Collectives, CallsOfMpiAreToldByTheirRanges) {
    const Trace one = trace()
                          .process(0, 2)
                          .kernel("gemm", 100us, 300us)
                          .range(RangeKind::Nvtx, "MPI_Allreduce", 200us, 1ms)
                          .range(RangeKind::Nvtx, "MPI_Init", 0us, 50us)
                          .range(RangeKind::Nvtx, "all_reduce of mine", 0us, 50us)
                          .build();
    const auto runs = runsOf(one);
    ASSERT_EQ(runs.size(), 1U);
    EXPECT_EQ(runs[0].kind, CollectiveKind::AllReduce);
    EXPECT_EQ(runs[0].backend, "mpi");
    EXPECT_EQ(runs[0].exposed, 800us);
    EXPECT_FALSE(runs[0].device);
}

TEST(Collectives, GlooThatIsToldOfIsNotCountedTwice) {
    const Trace one = trace()
                          .process(0, 2)
                          .collective(CollectiveKind::AllReduce, 8'000'000, 100us, 8ms, "world", "gloo")
                          .thread("pt_gloo_runloop")
                          .call(ApiKind::Synchronize, "cudaStreamSynchronize", 200us, 100us)
                          .copy(CopyKind::HostToDevice, MemoryKind::Pinned, 8'000'000, 8300us, 100us)
                          .build();
    ASSERT_EQ(runsOf(one).size(), 1U);
    EXPECT_EQ(runsOf(one)[0].kind, CollectiveKind::AllReduce);
}

/// Overlap is not free: https://github.com/NVIDIA/nccl/issues/1428
TEST(OverlapSlowdown, ComparesKernelsBesideACollectiveWithTheirLikeAlone) {
    test::TraceBuilder builder;
    builder.process(0, 2).kernel(kAllReduce, 10ms, 5ms);
    for (int i = 0; i < 4; ++i)
        builder.kernel("gemm", i * 1ms, 500us);
    builder.kernel("gemm", 11ms, 1ms).kernel("gemm", 13ms, 800us).kernel("rare", 14ms, 500us);
    const Trace one = builder.build();
    const auto slowdown = measureOverlapSlowdown(one, judgeKernelNames(one), DeviceRows(one)[DeviceIndex{0}]);
    ASSERT_TRUE(slowdown);
    EXPECT_EQ(slowdown->kernels, 2);
    EXPECT_EQ(slowdown->beside, 1800us);
    EXPECT_EQ(slowdown->alone, 1000us);
    EXPECT_DOUBLE_EQ(slowdown->factor(), 1.8);
}

TEST(OverlapSlowdown, SaysNothingWhereNothingCanBeCompared) {
    const Trace one = trace().process(0, 2).kernel(kAllReduce, 10ms, 5ms).kernel("gemm", 11ms, 1ms).build();
    EXPECT_FALSE(measureOverlapSlowdown(one, judgeKernelNames(one), DeviceRows(one)[DeviceIndex{0}]));
}

} // namespace
} // namespace tacho
