// SPDX-License-Identifier: Apache-2.0
#include "collector/recorder/calibration.h"

#include "collector/inject/block_plan.h"

#include <gmock/gmock.h>

#include <fmt/format.h>

#include <limits>
#include <string>

namespace tacho {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

static_assert(kWarmUpSteps == BlockPlan::kSkippedSteps, "the first full speed of a run is in a block");
static_assert(kLongestBlockSteps == BlockPlan::kBlockSteps, "a block of the default window is one here");

/// Steps of 100 ns without pauses: step 3 lasts from 300 to 400.
std::vector<TimedStep> stepsUpTo(std::uint64_t count) {
    std::vector<TimedStep> steps;
    for (std::uint64_t index = 0; index < count; ++index)
        steps.push_back({index, {100 * index, 100 * index + 100}});
    return steps;
}

std::vector<std::string> texts(const std::vector<StepBlock>& blocks) {
    std::vector<std::string> lines;
    for (const StepBlock& block : blocks)
        lines.push_back(
            fmt::format("{} {}-{}", block.isProfiled ? "recorded" : "full", block.firstStep, block.lastStep));
    return lines;
}

TEST(Calibration, BlocksOfTheDefaultWindowAlternate) {
    // Windows open within a step, which is in no block; the step after one closes is CUPTI's last.
    const std::vector<TimeSpan> windows = {{1510, 2000}, {2610, 3100}};
    const std::vector<TimeSpan> fullSpeed = {{0, 1500}, {2110, 2600}, {3110, 4000}};
    EXPECT_THAT(texts(calibrationBlocks(stepsUpTo(40), windows, fullSpeed)),
                ElementsAre("full 10-14", "recorded 16-19", "full 22-25", "recorded 27-30", "full 32-36",
                            "full 37-39"));
}

TEST(Calibration, ABlockHasTheMeanOfItsSteps) {
    std::vector<TimedStep> steps = {{10, {0, 10}}, {11, {10, 30}}, {12, {30, 60}}};
    const auto blocks = calibrationBlocks(steps, {}, std::vector<TimeSpan>{});
    EXPECT_THAT(blocks, IsEmpty());
    const auto recorded = calibrationBlocks(steps, std::vector<TimeSpan>{{0, 60}}, {});
    ASSERT_EQ(recorded.size(), 1U);
    EXPECT_EQ(recorded[0].stepNs(), 20U);
}

TEST(Calibration, TheFirstStepsOfAProcessAreWarmUp) {
    const std::vector<TimeSpan> always = {{0, std::numeric_limits<std::uint64_t>::max()}};
    EXPECT_THAT(texts(calibrationBlocks(stepsUpTo(14), always, {})), ElementsAre("recorded 10-13"));
    EXPECT_THAT(calibrationBlocks(stepsUpTo(10), always, {}), IsEmpty());
}

TEST(Calibration, OfALongRunAtFullSpeedTheStepsNearTheWindowCount) {
    const std::vector<TimeSpan> window = {{100'000, 101'000}};
    const std::vector<TimeSpan> fullSpeed = {{0, 100'000}, {101'000, 200'000}};
    const auto blocks = calibrationBlocks(stepsUpTo(2000), window, fullSpeed);
    ASSERT_EQ(blocks.size(), 10U + 2U + 10U);
    EXPECT_EQ(blocks.front().firstStep, 950U);
    EXPECT_EQ(blocks.back().lastStep, 1059U);
}

TEST(Calibration, BetweenFarWindowsTheStepsNearEitherCount) {
    const std::vector<TimeSpan> windows = {{0, 2000}, {102'000, 104'000}};
    const std::vector<TimeSpan> fullSpeed = {{2000, 102'000}};
    std::vector<std::uint64_t> firstSteps;
    for (const StepBlock& block : calibrationBlocks(stepsUpTo(1040), windows, fullSpeed))
        if (!block.isProfiled)
            firstSteps.push_back(block.firstStep);
    ASSERT_EQ(firstSteps.size(), 20U);
    EXPECT_EQ(firstSteps.front(), 20U);
    EXPECT_EQ(firstSteps[9], 65U);
    EXPECT_EQ(firstSteps[10], 970U);
    EXPECT_EQ(firstSteps.back(), 1015U);
}

TEST(Calibration, ALostStepEndsABlock) {
    std::vector<TimedStep> steps = stepsUpTo(22);
    steps.erase(steps.begin() + 14); // and the one after it has no known start
    steps.erase(steps.begin() + 14);
    EXPECT_THAT(texts(calibrationBlocks(steps, std::vector<TimeSpan>{{0, 3000}}, {})),
                ElementsAre("recorded 10-13", "recorded 16-20"));
}

} // namespace
} // namespace tacho
