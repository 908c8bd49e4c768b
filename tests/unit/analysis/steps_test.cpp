// SPDX-License-Identifier: Apache-2.0
#include "analyzer/metrics/steps.h"

#include "tests/unit/trace_builder.h"

#include <gtest/gtest.h>

namespace tacho {
namespace {

using test::trace;
using namespace std::chrono_literals;

TEST(Steps, LeavesALongFirstStepOutOfTheSteadyState) {
    auto builder = trace();
    builder.step(0, 0ms, 200ms);
    for (int i = 1; i <= 10; ++i)
        builder.step(i, 200ms + (i - 1) * 10ms, 10ms);
    const StepSummary steps = summariseSteps(builder.build());
    EXPECT_EQ(steps.warmUpSteps, 1U);
    EXPECT_EQ(steps.firstSteady, 1);
    EXPECT_EQ(steps.lastSteady, 10);
    EXPECT_EQ(steps.median, 10ms);
    EXPECT_EQ(analysedWindow(steps, {TimeNs{0ms}, TimeNs{305ms}}).start, TimeNs{200ms});
}

TEST(Steps, KeepsTheWholeSpanWhereThereIsNoWarmUp) {
    auto builder = trace();
    for (int i = 0; i < 5; ++i)
        builder.step(i, 10ms * i, 10ms);
    const Interval span{TimeNs{3ms}, TimeNs{52ms}};
    EXPECT_EQ(analysedWindow(summariseSteps(builder.build()), span), span);
}

TEST(Steps, ShowsOneInNSlowStepsInTheP95) {
    auto builder = trace();
    for (int i = 0; i < 20; ++i)
        builder.step(i, 100ms * i, i % 5 == 4 ? 80ms : 10ms);
    const StepSummary steps = summariseSteps(builder.build());
    EXPECT_EQ(steps.median, 10ms);
    EXPECT_EQ(steps.p95, 80ms);
}

TEST(Steps, TakesTheFullSpeedFromStepsOutsideTheRecording) {
    auto builder = trace();
    for (int i = 0; i < 10; ++i)
        builder.step(i, 10ms * i, 8ms, false);
    for (int i = 10; i < 20; ++i)
        builder.step(i, 10ms * i, 10ms);
    const StepSummary steps = summariseSteps(builder.build());
    EXPECT_EQ(steps.unprofiledMedian, DurationNs{8ms});
    EXPECT_EQ(steps.median, 10ms);
    EXPECT_EQ(steps.firstSteady, 10);
}

TEST(Steps, OfAllWindowsAreAnalysed) {
    auto builder = trace();
    for (int i = 0; i < 40; ++i)
        builder.step(i, 10ms * i, i % 10 < 5 ? 8ms : 10ms, i % 10 >= 5);
    const StepSummary steps = summariseSteps(builder.build());
    EXPECT_EQ(steps.firstSteady, 5);
    EXPECT_EQ(steps.lastSteady, 39);
    EXPECT_EQ(steps.steadySteps, 20U);
    EXPECT_EQ(steps.median, 10ms);
    EXPECT_EQ(steps.steady, (Interval{TimeNs{50ms}, TimeNs{400ms}}));
}

TEST(Steps, WarmUpCountsRecordedStepsOnly) {
    auto builder = trace();
    builder.step(0, 0ms, 200ms).step(1, 200ms, 9ms, false).step(2, 209ms, 10ms).step(3, 219ms, 10ms);
    const StepSummary steps = summariseSteps(builder.build());
    EXPECT_EQ(steps.warmUpSteps, 1U);
    EXPECT_EQ(steps.firstSteady, 2);
    EXPECT_EQ(steps.steadySteps, 2U);
}

/// A process of which each block of steps at full speed is one millisecond slower than the one before.
test::TraceBuilder calibrated() {
    auto builder = trace();
    builder.process(0, 2).step(10, 0ms, 90ms, false).step(15, 500ms, 100ms);
    for (int block = 0; block < 9; ++block)
        builder.block(10 + 10 * block, 1000ms * block, 90ms + block * 1ms, false)
            .block(15 + 10 * block, 1000ms * block + 500ms, 100ms, true);
    return builder;
}

TEST(Steps, AtFullSpeedAreMeasuredByBlocks) {
    const StepSummary steps = summariseSteps(calibrated().build());
    EXPECT_EQ(steps.unprofiledMedian, DurationNs{94ms});
    ASSERT_TRUE(steps.recordingCost);
    EXPECT_EQ(steps.recordingCost->unprofiledQ1, 92ms);
    EXPECT_EQ(steps.recordingCost->unprofiledQ3, 96ms);
    EXPECT_EQ(steps.recordingCost->profiledMedian, 100ms);
    EXPECT_EQ(steps.recordingCost->unprofiledBlocks, 9U);
    EXPECT_NEAR(steps.recordingCost->addedShare(), 100.0 / 94 - 1, 1e-9);
}

TEST(Steps, OfAnotherProcessSayNothingOfWhatRecordingCosts) {
    auto builder = trace();
    builder.process(0, 2).step(0, 0ms, 10ms, false).step(1, 10ms, 12ms).step(2, 22ms, 12ms);
    builder.process(1, 2).block(10, 0ms, 90ms, false).block(15, 500ms, 100ms, true);
    const StepSummary steps = summariseSteps(builder.build());
    EXPECT_FALSE(steps.recordingCost);
    EXPECT_EQ(steps.unprofiledMedian, DurationNs{10ms});
}

TEST(Steps, AllRecordedSayNothingOfWhatRecordingCosts) {
    auto builder = trace();
    builder.step(10, 0ms, 10ms).block(10, 0ms, 10ms, true);
    EXPECT_FALSE(summariseSteps(builder.build()).recordingCost);
}

TEST(Steps, AreFoundBetweenOptimizerStepsWhenNoneIsMarked) {
    auto builder = trace();
    for (int i = 0; i < 4; ++i)
        builder.range(RangeKind::Annotation, "Optimizer.step#AdamW.step", 8ms + i * 10ms, 2ms);
    const StepSummary steps = summariseSteps(builder.build());
    EXPECT_EQ(steps.source, StepSource::Optimizer);
    EXPECT_EQ(steps.steps.size(), 3U);
    EXPECT_EQ(steps.median, 10ms);
}

TEST(Steps, AreFoundInNumberedNvtxRanges) {
    auto builder = trace();
    for (int i = 0; i < 4; ++i)
        builder.range(RangeKind::Nvtx, "iteration " + std::to_string(i), i * 10ms, 9ms);
    builder.range(RangeKind::Nvtx, "optimizer_step", 1ms, 1ms);
    const StepSummary steps = summariseSteps(builder.build());
    EXPECT_EQ(steps.source, StepSource::Nvtx);
    EXPECT_EQ(steps.median, 9ms);
}

TEST(Steps, FoundInRangesOutsideOfAllWindowsWereNotRecorded) {
    auto builder = trace();
    for (int i = 0; i < 9; ++i)
        builder.range(RangeKind::Nvtx, "iteration " + std::to_string(i), i * 10ms, i % 3 == 0 ? 7ms : 9ms);
    builder.window(9ms, 21ms).window(39ms, 21ms).window(69ms, 21ms);
    const StepSummary steps = summariseSteps(builder.build());
    EXPECT_EQ(steps.steadySteps, 6U);
    EXPECT_EQ(steps.median, 9ms);
    EXPECT_EQ(steps.unprofiledMedian, DurationNs{7ms});
}

TEST(Steps, AreNoneWithoutMarks) {
    const StepSummary steps = summariseSteps(trace().kernel("a", 0us, 1us).build());
    EXPECT_EQ(steps.source, StepSource::None);
    EXPECT_FALSE(steps.steady);
}

} // namespace
} // namespace tacho
