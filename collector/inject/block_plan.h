// SPDX-License-Identifier: Apache-2.0
// The default window: recorded and unrecorded steps in turn, so that one run measures what recording costs.
#pragma once

#include <cstdint>

namespace tacho {

/// Which steps are recorded: after 10 steps to warm up, 10 times at least 5 at full speed and then 5
/// recorded. Where CUPTI cannot leave the process between blocks, there is one block of full speed and one of
/// 50 recorded steps. A plain value; no clock, no CUPTI.
class BlockPlan {
  public:
    static constexpr std::uint64_t kSkippedSteps = 10;
    static constexpr std::uint64_t kBlockSteps = 5; ///< of each kind
    static constexpr std::uint64_t kBlocks = 10;    ///< recorded ones
    /// A block of full speed that has not come about after so many steps is given up.
    static constexpr std::uint64_t kLongestBlock = 25;
    /// It needs no more steps than this, from the first one of the process.
    static constexpr std::uint64_t kMostSteps = kSkippedSteps + kBlocks * (kBlockSteps + kLongestBlock);

    /// `everySteps`: begins anew so many steps after it began; 0: once.
    constexpr explicit BlockPlan(std::uint64_t everySteps = 0) noexcept : m_everySteps(everySteps) {}

    /// A step ended; `isFullSpeed`: CUPTI is not in the way since before it began or has just left. Returns
    /// whether the next step is to be recorded.
    [[nodiscard]] bool stepEnded(std::uint64_t endedSteps, bool isFullSpeed, bool canLeave) noexcept;
    /// It will not ask for recording again.
    [[nodiscard]] bool isOver() const noexcept { return m_everySteps == 0 && m_recordedSteps >= kAllSteps; }

  private:
    static constexpr std::uint64_t kAllSteps = kBlocks * kBlockSteps;
    [[nodiscard]] bool isBlockOver(bool canLeave) const noexcept;

    std::uint64_t m_everySteps;
    std::uint64_t m_beganAt = kSkippedSteps; ///< steps
    std::uint64_t m_recordedSteps = 0;
    std::uint64_t m_stepsInBlock = 0;
    std::uint64_t m_fullSpeedSteps = 0; ///< of this block
    bool m_isOn = false;
    bool m_wasFullSpeed = true;
};

} // namespace tacho
