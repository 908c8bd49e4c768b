// SPDX-License-Identifier: Apache-2.0
// The options of `tacho record` that choose when GPU activity is recorded.
#pragma once

#include <CLI/CLI.hpp>

#include <cstdint>
#include <string>

namespace tacho {

/// What the user wants recorded. Times are in seconds, steps counted from 0.
class WindowOptions {
  public:
    /// Adds the options; their values are in this object once the command line was parsed.
    void addTo(CLI::App& commandLine);
    /// The value of TACHO_WINDOW. Throws Error (Usage): options that contradict each other.
    [[nodiscard]] std::string text() const;

  private:
    bool m_everything = false;
    std::string m_steps; ///< "A:B"
    std::uint64_t m_everySteps = 0;
    double m_delay = -1, m_duration = -1; ///< below 0: not given
    std::string m_range;
};

} // namespace tacho
