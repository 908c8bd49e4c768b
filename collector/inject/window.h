// SPDX-License-Identifier: Apache-2.0
// When to record GPU activity.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tacho {

/// What opens and closes recording, as a plain value: no clock, no CUPTI.
///
/// Texts (TACHO_WINDOW):
/// - `all`: from start to end.
/// - `steps:A:B`: steps A to B-1, counted from 0; `steps:A:B:every:N`: and again N, 2N ... steps later.
/// - `time:D:L`: from D ns after the start of the process, for L ns; L = 0: to its end.
/// - `range:cudaProfilerApi`: between cudaProfilerStart and cudaProfilerStop.
/// - `range:nvtx:NAME`: while a range of that name is open, on any thread and in any domain.
/// - `range:ctl`: only as the control file says.
/// - `default`, or anything else: the blocks of BlockPlan. `default:every:N`: again N, 2N ... steps later.
class Window {
  public:
    enum class Trigger : std::uint8_t { Start, Blocks, Steps, Clock, ProfilerApi, NvtxRange, Outside };

    /// A process that announced steps but makes none is recorded after so much GPU activity anyway.
    static constexpr std::uint64_t kLongestWaitNs = 120'000'000'000;

    /// `text` is borrowed: it must outlive the value. Null is the default.
    static Window parse(const char* text) noexcept;

    [[nodiscard]] Trigger trigger() const noexcept { return m_trigger; }
    /// So many steps after a window or the blocks began they begin again; 0: never.
    [[nodiscard]] std::uint64_t everySteps() const noexcept { return m_everySteps; }
    /// The NVTX range to record; null: none is waited for.
    [[nodiscard]] const char* rangeName() const noexcept { return m_rangeName; }

    /// Whether to record from the first GPU call on. `stepsExpected`: a hook has announced itself.
    [[nodiscard]] bool opensAtStart(bool stepsExpected) const noexcept;
    /// Whether recording should be on after so many steps have ended. REQUIRES Trigger::Steps.
    [[nodiscard]] bool isOpenAfter(std::uint64_t endedSteps) const noexcept;
    /// Whether to stop waiting for a first step.
    [[nodiscard]] bool isWaitOver(std::uint64_t endedSteps, std::uint64_t waitedNs) const noexcept;
    /// Whether recording should be on at this time after the start. REQUIRES Trigger::Clock.
    [[nodiscard]] bool isOpenAt(std::uint64_t sinceStartNs) const noexcept;
    /// Whether it will never open again of itself. Blocks know that themselves.
    [[nodiscard]] bool isOver(std::uint64_t endedSteps, std::uint64_t sinceStartNs) const noexcept;

  private:
    bool parseSteps(const char* text) noexcept;
    bool parseTime(const char* text) noexcept;
    bool parseRange(const char* text) noexcept;

    Trigger m_trigger = Trigger::Blocks;
    std::uint64_t m_firstStep = 0;
    std::uint64_t m_endStep = 0;
    std::uint64_t m_everySteps = 0;
    std::uint64_t m_delayNs = 0;
    std::uint64_t m_durationNs = 0; ///< 0: to the end
    const char* m_rangeName = nullptr;
};

} // namespace tacho
