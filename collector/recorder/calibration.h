// SPDX-License-Identifier: Apache-2.0
// What recording costs, measured by the run itself: step times with and without it.
#pragma once

#include "collector/inject/block_plan.h"

#include <cstdint>
#include <span>
#include <vector>

namespace tacho {

struct TimeSpan {
    std::uint64_t startNs = 0, endNs = 0;
};

/// A step of known start and end.
struct TimedStep {
    std::uint64_t index = 0;
    TimeSpan time;
};

/// Consecutive steps, all of them recorded, or all at full speed.
struct StepBlock {
    bool isProfiled = false;
    std::uint64_t firstStep = 0, lastStep = 0; ///< indices
    TimeSpan time;

    /// Mean of its steps.
    [[nodiscard]] std::uint64_t stepNs() const {
        return (time.endNs - time.startNs) / (lastStep - firstStep + 1);
    }
};

inline constexpr std::uint64_t kWarmUpSteps = BlockPlan::kSkippedSteps; ///< of a process: in no block
inline constexpr std::size_t kLongestBlockSteps = BlockPlan::kBlockSteps;
inline constexpr std::size_t kShortestBlockSteps = 3;
/// Steps at full speed farther than this from all windows are in no block: a training may change over hours.
inline constexpr std::size_t kFarthestStep = 50;

/// Cuts the steps that lie entirely inside a window or entirely at full speed into blocks. A step in which
/// recording began or ended, or which CUPTI still slowed, is in none. All three sorted by time, `windows` and
/// `fullSpeed` each without overlaps; the result is sorted by time.
[[nodiscard]] std::vector<StepBlock> calibrationBlocks(std::span<const TimedStep> steps,
                                                       std::span<const TimeSpan> windows,
                                                       std::span<const TimeSpan> fullSpeed);

} // namespace tacho
