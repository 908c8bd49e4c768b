// SPDX-License-Identifier: Apache-2.0
#include "analyzer/metrics/periodic_steps.h"
#include "analyzer/metrics/steps.h"
#include "tests/unit/trace_builder.h"

#include <gtest/gtest.h>
#include <random>
#include <string>
#include <vector>

namespace tacho {
namespace {

using namespace std::chrono_literals;

std::vector<StringId> ids(std::initializer_list<int> numbers) {
    std::vector<StringId> sequence;
    for (const int number : numbers)
        sequence.push_back(static_cast<StringId>(number));
    return sequence;
}

std::vector<StringId> repeated(const std::vector<StringId>& step, int times) {
    std::vector<StringId> sequence;
    for (int i = 0; i < times; ++i)
        sequence.insert(sequence.end(), step.begin(), step.end());
    return sequence;
}

/// Two kernels for each of 12 equal layers forward, three for each backward, and an optimizer.
std::vector<StringId> transformerStep() {
    std::vector<StringId> step = ids({1, 2});
    for (int layer = 0; layer < 12; ++layer)
        for (const int kernel : {3, 4})
            step.push_back(static_cast<StringId>(kernel));
    step.push_back(static_cast<StringId>(5));
    for (int layer = 0; layer < 12; ++layer)
        for (const int kernel : {6, 7, 6})
            step.push_back(static_cast<StringId>(kernel));
    for (int parameter = 0; parameter < 24; ++parameter)
        step.push_back(static_cast<StringId>(8));
    return step;
}

TEST(PeriodTest, IsTheStepAndNotTheLayer) {
    const std::vector<StringId> step = transformerStep();
    EXPECT_EQ(findPeriod(repeated(step, 5)), step.size());
}

TEST(PeriodTest, IsTheStepAndNotTwoOfThem) {
    EXPECT_EQ(findPeriod(repeated(ids({1, 2, 3, 4, 5}), 40)), 5U);
}

TEST(PeriodTest, SurvivesWarmUpAndOddSteps) {
    const std::vector<StringId> step = transformerStep();
    std::vector<StringId> sequence = ids({20, 21, 20, 22, 20, 21, 23});
    const auto regular = repeated(step, 10);
    sequence.insert(sequence.end(), regular.begin(), regular.end());
    sequence.insert(sequence.end(), 3, static_cast<StringId>(30)); // an evaluation, a checkpoint
    sequence.insert(sequence.end(), regular.begin(), regular.end());
    EXPECT_EQ(findPeriod(sequence), step.size());
}

TEST(PeriodTest, IsNoneOfOneKernelOrOfTwoRounds) {
    EXPECT_EQ(findPeriod(repeated(ids({1}), 1000)), std::nullopt);
    EXPECT_EQ(findPeriod(repeated(ids({1, 2}), 1000)), std::nullopt);
    EXPECT_EQ(findPeriod(repeated(transformerStep(), 2)), std::nullopt);
    EXPECT_EQ(findPeriod({}), std::nullopt);
}

TEST(PeriodTest, IsNoneOfRandomKernels) {
    std::mt19937 random(7);
    std::vector<StringId> sequence;
    for (int i = 0; i < 5000; ++i)
        sequence.push_back(static_cast<StringId>(random() % 50));
    EXPECT_EQ(findPeriod(sequence), std::nullopt);
}

/// Steps of 10 ms: after 2 ms in which the host launches nothing, eight kernels 1 ms apart; no marks.
Trace unmarkedTraining(int steps) {
    test::TraceBuilder builder = test::trace();
    for (int step = 0; step < steps; ++step) {
        const DurationNs begin = step * 10ms + 2ms;
        for (int kernel = 0; kernel < 8; ++kernel)
            builder.kernel("kernel_" + std::to_string(kernel), begin + kernel * 1ms, 500us);
    }
    return builder.build();
}

TEST(PeriodicStepsTest, BeginWhereTheHostPauses) {
    const Trace trace = unmarkedTraining(6);
    const std::vector<StepMark> steps = findPeriodicSteps(trace);
    ASSERT_EQ(steps.size(), 5U); // where the last one ends is not known
    for (std::size_t i = 0; i < steps.size(); ++i) {
        EXPECT_EQ(steps[i].interval.length(), 10ms);
        EXPECT_EQ(steps[i].index, static_cast<std::int64_t>(i));
    }
    EXPECT_EQ(steps.front().interval.start, trace.apiCalls.start.front());
}

TEST(PeriodicStepsTest, AreNotFoundAcrossTheTimeBetweenWindows) {
    Trace trace = unmarkedTraining(8);
    for (const DurationNs start : {0ms, 40ms})
        trace.windows.push_back({ProcessIndex{0}, {TimeNs{start}, TimeNs{start + 39ms}}});
    const std::vector<StepMark> steps = findPeriodicSteps(trace);
    ASSERT_EQ(steps.size(), 6U);
    EXPECT_EQ(steps[2].index, 2);
    EXPECT_EQ(steps[3].index, 4);
}

TEST(PeriodicStepsTest, AreUsedWhereNothingMarksSteps) {
    const StepSummary summary = summariseSteps(unmarkedTraining(6));
    EXPECT_EQ(summary.source, StepSource::Periodic);
    EXPECT_EQ(summary.median, DurationNs{10ms});
}

TEST(PeriodicStepsTest, GiveWayToMarks) {
    test::TraceBuilder builder = test::trace();
    for (int step = 0; step < 4; ++step) {
        builder.step(step, step * 10ms, 10ms);
        for (int kernel = 0; kernel < 8; ++kernel)
            builder.kernel("kernel_" + std::to_string(kernel), step * 10ms + kernel * 1ms, 500us);
    }
    EXPECT_NE(summariseSteps(builder.build()).source, StepSource::Periodic);
}

TEST(PeriodicStepsTest, AreNoneOfAnEmptyTrace) {
    EXPECT_TRUE(findPeriodicSteps(test::trace().build()).empty());
}

} // namespace
} // namespace tacho
