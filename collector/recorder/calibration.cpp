// SPDX-License-Identifier: Apache-2.0
#include "collector/recorder/calibration.h"

#include <algorithm>

namespace tacho {
namespace {

using Steps = std::span<const TimedStep>;

Steps stepsInside(Steps steps, TimeSpan time) {
    const auto first = std::ranges::partition_point(
        steps, [&](const TimedStep& step) { return step.time.startNs < time.startNs; });
    const auto end = std::partition_point(
        first, steps.end(), [&](const TimedStep& step) { return step.time.endNs <= time.endNs; });
    return {first, end};
}

/// Steps from the front that follow each other without a lost one between.
Steps leadingRun(Steps steps) {
    const auto last = std::ranges::adjacent_find(
        steps, [](const TimedStep& a, const TimedStep& b) { return b.index != a.index + 1; });
    return {steps.begin(), last == steps.end() ? last : last + 1};
}

void addBlocks(Steps steps, bool isProfiled, std::vector<StepBlock>& blocks) {
    while (!steps.empty()) {
        const Steps run = leadingRun(steps);
        const Steps block = run.first(std::min(run.size(), kLongestBlockSteps));
        if (block.size() >= kShortestBlockSteps)
            blocks.push_back({isProfiled,
                              block.front().index,
                              block.back().index,
                              {block.front().time.startNs, block.back().time.endNs}});
        steps = steps.subspan(block.size());
    }
}

/// Those near the window that follows, if there is one, and near the one before.
void addFullSpeed(Steps steps, bool isAfterWindow, bool isBeforeWindow, std::vector<StepBlock>& blocks) {
    std::size_t atFront = isAfterWindow ? std::min(steps.size(), kFarthestStep) : 0;
    std::size_t atBack = isBeforeWindow ? std::min(steps.size(), kFarthestStep) : 0;
    if (atFront + atBack > steps.size()) {
        atFront = steps.size();
        atBack = 0;
    }
    addBlocks(steps.first(atFront), false, blocks);
    addBlocks(steps.last(atBack), false, blocks);
}

} // namespace

std::vector<StepBlock> calibrationBlocks(std::span<const TimedStep> steps, std::span<const TimeSpan> windows,
                                         std::span<const TimeSpan> fullSpeed) {
    const auto warm =
        std::ranges::find_if_not(steps, [](const TimedStep& step) { return step.index < kWarmUpSteps; });
    const Steps warmSteps{warm, steps.end()};
    std::vector<StepBlock> blocks;
    for (const TimeSpan& window : windows)
        addBlocks(stepsInside(warmSteps, window), true, blocks);
    for (const TimeSpan& time : fullSpeed) {
        const bool isAfterWindow = !windows.empty() && windows.front().startNs < time.startNs;
        const bool isBeforeWindow = !windows.empty() && windows.back().startNs >= time.endNs;
        addFullSpeed(stepsInside(warmSteps, time), isAfterWindow, isBeforeWindow, blocks);
    }
    std::ranges::sort(blocks, {}, [](const StepBlock& block) { return block.time.startNs; });
    return blocks;
}

} // namespace tacho
