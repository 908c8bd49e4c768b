// SPDX-License-Identifier: Apache-2.0
// The line on the terminal that says how the recording goes.
#pragma once

#include "collector/recorder/spool_follower.h"

#include <chrono>
#include <cstdint>
#include <string>

namespace tacho {

struct Progress {
    std::chrono::seconds elapsed{0};
    std::uint64_t events = 0;
    std::uint64_t fileBytes = 0;
    FollowedSteps steps;
};

/// "tacho: 75 s, 1.2 M events, 84 MB, recording (step 31)". `window` is the value of TACHO_WINDOW.
[[nodiscard]] std::string progressText(const Progress& progress, const std::string& window);

/// One line of stderr, written over itself; nothing at all where stderr is not a terminal.
class ProgressLine {
  public:
    ProgressLine(std::string window, bool isQuiet);
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;
    ~ProgressLine();

    [[nodiscard]] bool isShown() const { return m_isShown; }
    void show(const Progress& progress);
    /// Takes the line away, so that other text can be written.
    void clear();

  private:
    std::string m_window;
    bool m_isShown;
    bool m_isDirty = false;
};

} // namespace tacho
