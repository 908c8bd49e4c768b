// SPDX-License-Identifier: Apache-2.0
#include "analyzer/metrics/collective_steps.h"
#include "analyzer/metrics/micro_steps.h"
#include "analyzer/metrics/steps.h"
#include "tests/unit/trace_builder.h"

#include <gtest/gtest.h>
#include <random>
#include <string>

namespace tacho {
namespace {

using test::TraceBuilder;
using namespace std::chrono_literals;

constexpr const char* kAllReduce = "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096>)";

/// Batches of other shapes run other kernels, so that their sequence has no period.
void addKernelsWithoutPeriod(TraceBuilder& builder, std::mt19937& random, DurationNs at) {
    for (int i = 0; i < 20; ++i)
        builder.kernel("kernel_" + std::to_string(random() % 30), at + i * 400us, 300us);
}

TEST(CollectiveSteps, AreThePeriodOfCallsWhereKernelsHaveNone) {
    std::mt19937 random(1);
    TraceBuilder builder = test::trace();
    builder.process(0, 2);
    for (int step = 0; step < 10; ++step) {
        const DurationNs at = step * 20ms;
        addKernelsWithoutPeriod(builder, random, at);
        for (const std::int64_t bytes : {25'000'000, 25'000'000, 13'000'000})
            builder.collective(CollectiveKind::AllReduce, bytes, at + 9ms + bytes / 10 * 1ns, 100us);
        builder.collective(CollectiveKind::AllReduce, 4, at + 15ms, 50us);
    }
    const StepSummary summary = summariseSteps(builder.build());
    EXPECT_EQ(summary.source, StepSource::Periodic);
    EXPECT_EQ(summary.steps.size(), 9U);
    EXPECT_EQ(summary.median, DurationNs{20ms});
}

TEST(CollectiveSteps, AreTheDistancesOfOneCollectiveIfTheyAreEven) {
    std::mt19937 random(2);
    TraceBuilder even = test::trace(), uneven = test::trace();
    for (int step = 0; step < 10; ++step) {
        addKernelsWithoutPeriod(even, random, step * 20ms);
        even.kernel(kAllReduce, step * 20ms + 15ms, 2ms);
        addKernelsWithoutPeriod(uneven, random, step * 20ms);
        for (int bucket = 0; bucket < 3; ++bucket)
            uneven.kernel(kAllReduce, step * 20ms + 10ms + bucket * 1ms, 1ms);
    }
    EXPECT_EQ(summariseSteps(even.build()).median, DurationNs{20ms});
    EXPECT_EQ(summariseSteps(uneven.build()).source, StepSource::None) << "buckets are no steps";
}

TEST(CollectiveSteps, AreNoneOfTooFewCollectives) {
    TraceBuilder builder = test::trace();
    builder.kernel(kAllReduce, 10ms, 1ms).kernel(kAllReduce, 20ms, 1ms);
    EXPECT_TRUE(findCollectiveSteps(builder.build()).empty());
    EXPECT_TRUE(findCollectiveSteps(test::trace().build()).empty());
}

/// Micro steps of 10 ms; each `every`-th launches `last`, 1 ms before its end.
Trace accumulating(int microSteps, int every, const std::string& last) {
    TraceBuilder builder = test::trace();
    for (int micro = 0; micro < microSteps; ++micro) {
        const DurationNs begin = micro * 10ms + 1ms;
        for (int kernel = 0; kernel < 40; ++kernel)
            builder.kernel("kernel_" + std::to_string(kernel), begin + kernel * 200us, 200us);
        if (micro % every == every - 1)
            builder.kernel(last, begin + 8ms, 200us);
    }
    return builder.build();
}

constexpr const char* kAdam = "multi_tensor_apply_kernel<FusedAdamMathFunctor<float, 4>>";

TEST(MicroSteps, AreJoinedUpToTheOptimizer) {
    const StepSummary summary = summariseSteps(accumulating(40, 8, kAdam));
    EXPECT_EQ(summary.source, StepSource::Periodic);
    EXPECT_EQ(summary.median, DurationNs{80ms});
    EXPECT_EQ(summary.steps.front().interval.length(), DurationNs{80ms});
}

TEST(MicroSteps, AreJoinedIfTooFewStepsMakeAPeriodOfTheirOwn) {
    const StepSummary summary = summariseSteps(accumulating(48, 15, kAdam)); // 45 with an optimizer, then 3
    EXPECT_EQ(summary.median, DurationNs{150ms});
}

TEST(MicroSteps, AreJoinedUpToCollectivesWhereNoOptimizerIsKnown) {
    EXPECT_EQ(summariseSteps(accumulating(48, 15, kAllReduce)).median, DurationNs{150ms});
}

TEST(MicroSteps, StayWhereEachOrNoneUpdatesWeights) {
    EXPECT_EQ(summariseSteps(accumulating(12, 1, kAdam)).median, DurationNs{10ms});
    EXPECT_EQ(summariseSteps(accumulating(12, 100, kAdam)).median, DurationNs{10ms});
}

TEST(MicroSteps, StayWhereUpdatesAreIrregular) {
    const Trace trace = accumulating(12, 4, kAdam);
    std::vector<StepMark> steps;
    for (const int length : {10, 10, 10, 30, 10, 10, 10, 10, 10, 10})
        steps.push_back({ProcessIndex{0},
                         kNoThread,
                         static_cast<std::int64_t>(steps.size()),
                         {steps.empty() ? TimeNs{0ms} : steps.back().interval.end, {}}}),
            steps.back().interval.end = steps.back().interval.start + length * 1ms;
    EXPECT_EQ(joinMicroSteps(trace, steps).size(), steps.size());
}

} // namespace
} // namespace tacho
