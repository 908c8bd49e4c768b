// SPDX-License-Identifier: Apache-2.0
#include "analyzer/metrics/idle_causes.h"

#include "analyzer/metrics/device_breakdown.h"
#include "analyzer/metrics/recorded_time.h"
#include "tests/unit/trace_builder.h"

#include <gtest/gtest.h>

#include <random>

namespace tacho {
namespace {

using test::trace;
using test::TraceBuilder;
using namespace std::chrono_literals;

IdleTime idleOf(const Trace& trace, Interval window) {
    const DeviceRows rows(trace);
    const auto recorded = recordedTime(trace);
    return IdleExplainer(trace, rows, recorded).explain(DeviceIndex{0}, window);
}

DurationNs causeOf(const Trace& trace, IdleCause cause, Interval window) {
    return idleOf(trace, window).length(cause);
}

Interval until(DurationNs end) {
    return {TimeNs{0ns}, TimeNs{end}};
}

TEST(IdleCauses, BlamesTheHostForTheTimeBeforeTheNextLaunch) {
    const Trace t = trace().kernel("a", 0us, 10us).kernel("b", 100us, 10us, 5us).build();
    const IdleTime idle = idleOf(t, until(110us));
    EXPECT_EQ(idle.length(IdleCause::HostLaunch), 80us); // 10 to 90
    EXPECT_EQ(idle.length(IdleCause::LaunchLatency), 10us);
}

TEST(IdleCauses, KnowsWhatTheHostDidMeanwhile) {
    const auto twoKernels = [] {
        TraceBuilder builder = trace();
        builder.kernel("a", 0us, 10us).kernel("b", 1000us, 10us);
        return builder;
    };
    const Interval all = until(1010us);
    EXPECT_EQ(causeOf(twoKernels()
                          .range(RangeKind::Annotation, "enumerate(DataLoader)#x.__next__", 100us, 300us)
                          .build(),
                      IdleCause::DataLoading, all),
              300us);
    EXPECT_EQ(causeOf(twoKernels().range(RangeKind::Phase, "dataloader", 100us, 300us).build(),
                      IdleCause::DataLoading, all),
              300us);
    EXPECT_EQ(causeOf(twoKernels().range(RangeKind::Annotation, "gloo:all_reduce", 100us, 300us).build(),
                      IdleCause::HostCommunication, all),
              300us);
    EXPECT_EQ(causeOf(twoKernels().call(ApiKind::Free, "cudaFree", 100us, 300us).build(),
                      IdleCause::Allocation, all),
              300us);
    EXPECT_EQ(causeOf(twoKernels().call(ApiKind::Copy, "cudaMemcpy", 100us, 300us).build(),
                      IdleCause::BlockingCopy, all),
              300us);
    EXPECT_EQ(causeOf(twoKernels().overhead(OverheadKind::LazyFunctionLoading, 100us, 300us).build(),
                      IdleCause::ModuleLoad, all),
              300us);
}

TEST(IdleCauses, ChargesASyncForAllUntilTheNextLaunchOnlyIfTheGpuRanDryInIt) {
    const Trace dry = trace()
                          .kernel("a", 0us, 50us)
                          .call(ApiKind::Synchronize, "cudaStreamSynchronize", 10us, 45us)
                          .kernel("b", 200us, 10us)
                          .build();
    EXPECT_EQ(causeOf(dry, IdleCause::Synchronisation, until(210us)), 140us); // 50 to 190
    const Trace covered = trace()
                              .kernel("a", 0us, 200us)
                              .call(ApiKind::Synchronize, "cudaDeviceSynchronize", 10us, 150us)
                              .kernel("b", 200us, 10us, 20us)
                              .build();
    EXPECT_EQ(causeOf(covered, IdleCause::Synchronisation, until(210us)), 0us);
}

TEST(IdleCauses, TakesASlowFirstLaunchForLoadingCode) {
    TraceBuilder builder = trace();
    builder.kernel("a", 0us, 10us).slowKernel("b", 1000us, 10us, 600us).slowKernel("b", 2000us, 10us, 600us);
    const Trace t = builder.build();
    EXPECT_EQ(causeOf(t, IdleCause::ModuleLoad, until(2010us)), 600us)
        << "only the first launch of b loads it";
}

TEST(IdleCauses, SaysNoDataWhereTheLaunchIsNotInTheFile) {
    const Trace t = trace().orphanKernel("a", 0us, 10us).orphanKernel("b", 100us, 10us).build();
    EXPECT_EQ(causeOf(t, IdleCause::NoData, until(110us)), 90us);
}

/// Random traces: whatever happened, the causes are disjoint and add up to the idle time.
TEST(IdleCauses, AddUpToTheIdleTime) {
    std::mt19937 random(7);
    const auto upTo = [&](int most) { return DurationNs{std::uniform_int_distribution<>(0, most)(random)}; };
    for (int round = 0; round < 200; ++round) {
        auto builder = trace();
        for (int i = 0; i < 30; ++i) {
            builder.kernel("k" + std::to_string(i % 5), 20us + upTo(100'000), upTo(2'000), upTo(9'000));
            if (i % 3 == 0)
                builder.call(static_cast<ApiKind>(i % 9), "cudaCall", upTo(100'000), upTo(9'000));
            if (i % 4 == 0)
                builder.range(RangeKind::Annotation, i % 8 ? "dataloader" : "gloo:all_reduce", upTo(100'000),
                              upTo(9'000));
            if (i % 5 == 0)
                builder.orphanKernel("o", 20us + upTo(100'000), upTo(2'000));
        }
        const Trace t = builder.build();
        const Interval window{TimeNs{upTo(50'000)}, TimeNs{60us + upTo(40'000)}};
        const auto rows = breakDownDevices(t, window);
        ASSERT_EQ(rows.size(), 1U);
        const IdleTime idle = idleOf(t, window);
        ASSERT_EQ(idle.total(), rows.front().idle) << "round " << round;
        for (const IntervalSet& a : idle.parts)
            for (const IntervalSet& b : idle.parts)
                ASSERT_TRUE(&a == &b || a.intersection(b).empty());
    }
}

} // namespace
} // namespace tacho
