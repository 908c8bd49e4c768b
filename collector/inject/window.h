// SPDX-License-Identifier: Apache-2.0
// When to record.
#pragma once

#include <cstdint>

namespace tacho {

/// Decides when recording of GPU activity opens and closes. A plain value; no clock, no CUPTI.
///
/// Texts (TACHO_WINDOW): "all": from start to end. "steps:A:B": steps A to B-1, counted from 0. "default" or
/// anything else: skip 10 steps, let 10 more run unrecorded as a measure of full speed, record 50.
class Window {
  public:
    static constexpr std::uint64_t kSkippedSteps = 10;
    static constexpr std::uint64_t kCalibrationSteps = 10;
    static constexpr std::uint64_t kRecordedSteps = 50;
    /// A process that announced steps but makes none is recorded after so much GPU activity anyway.
    static constexpr std::uint64_t kLongestWaitNs = 120'000'000'000;

    static Window parse(const char* text) noexcept;

    /// Whether to record from the first GPU call on. `stepsExpected`: a hook has announced itself.
    [[nodiscard]] bool opensAtStart(bool stepsExpected) const noexcept;
    /// Whether recording should be on after so many steps have ended.
    [[nodiscard]] bool isOpenAfter(std::uint64_t endedSteps) const noexcept;
    /// Whether to stop waiting for a first step.
    [[nodiscard]] bool isWaitOver(std::uint64_t endedSteps, std::uint64_t waitedNs) const noexcept;

  private:
    enum class Kind : std::uint8_t { All, Steps, Default };
    Kind m_kind = Kind::Default;
    std::uint64_t m_first = kSkippedSteps + kCalibrationSteps;
    std::uint64_t m_end = kSkippedSteps + kCalibrationSteps + kRecordedSteps;
};

} // namespace tacho
