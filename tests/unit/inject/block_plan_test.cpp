// SPDX-License-Identifier: Apache-2.0
#include "collector/inject/block_plan.h"

#include <functional>
#include <gtest/gtest.h>
#include <string>

namespace tacho {
namespace {

/// 'o' where the step with that index is recorded. `stepsToLeave`: after so many steps of a pause CUPTI is
/// gone.
std::string pattern(BlockPlan plan, std::uint64_t steps, std::uint64_t stepsToLeave, bool canLeave = true) {
    std::string shape(".");
    std::uint64_t pause = stepsToLeave; // it has not come yet
    for (std::uint64_t ended = 1; ended < steps; ++ended) {
        pause = shape.back() == 'o' ? 0 : pause + 1;
        shape += plan.stepEnded(
                     ended, canLeave ? pause >= stepsToLeave : shape.find('o') == std::string::npos, canLeave)
                     ? 'o'
                     : '.';
    }
    return shape;
}

std::string times(std::uint64_t count, const std::string& text) {
    std::string all;
    for (std::uint64_t i = 0; i < count; ++i)
        all += text;
    return all;
}

TEST(BlockPlan, SkipsTenStepsThenAlternatesFiveAndFive) {
    const std::string shape = pattern(BlockPlan(), 200, 0);
    EXPECT_EQ(shape, times(10, ".") + times(10, ".....ooooo") + times(90, "."));
}

TEST(BlockPlan, WaitsUntilCuptiHasLeftBeforeItCountsStepsOfFullSpeed) {
    const std::string shape = pattern(BlockPlan(), 300, 3);
    EXPECT_EQ(shape.substr(0, 20), times(15, ".") + "ooooo");
    EXPECT_EQ(shape.substr(20, 13), "........ooooo") << "three until it has left, and five more";
    EXPECT_EQ(std::count(shape.begin(), shape.end(), 'o'), 50);
}

TEST(BlockPlan, GivesABlockUpThatCuptiDoesNotLeaveIn) {
    const std::string shape = pattern(BlockPlan(), 400, 1000);
    EXPECT_EQ(shape.find('o', 40), 10U + 5 + 5 + BlockPlan::kLongestBlock) << shape;
    EXPECT_EQ(std::count(shape.begin(), shape.end(), 'o'), 50);
    EXPECT_LT(shape.rfind('o'), BlockPlan::kMostSteps);
}

TEST(BlockPlan, RecordsInOneGoWhereCuptiCannotLeave) {
    EXPECT_EQ(pattern(BlockPlan(), 100, 0, false), times(15, ".") + times(50, "o") + times(35, "."));
}

TEST(BlockPlan, IsOverWhenFiftyStepsAreRecorded) {
    BlockPlan plan;
    std::uint64_t ended = 0;
    while (!plan.isOver() && ended < 1000) {
        ++ended;
        (void)plan.stepEnded(ended, true, true);
    }
    EXPECT_EQ(ended, 110U);
}

TEST(BlockPlan, ComesAgainEveryNSteps) {
    const std::string shape = pattern(BlockPlan(400), 1000, 0);
    EXPECT_EQ(shape.substr(10, 400), shape.substr(410, 400));
    EXPECT_EQ(std::count(shape.begin(), shape.end(), 'o'), 150);
}

} // namespace
} // namespace tacho
