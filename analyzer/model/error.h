// SPDX-License-Identifier: Apache-2.0
// The one exception type of the analyzer, the recorder and the GUI.
#pragma once

#include <stdexcept>
#include <string>

namespace tacho {

/// Why the program ends; the value is the exit status.
enum class ExitStatus : int {
    Usage = 2,         ///< the command line is wrong
    InputUnusable = 3, ///< a file cannot be read, or the machine refuses what was asked for
    OverLimit = 4,     ///< a comparison found a difference over its limit
};

/// What failed, on which file or argument, and what to do about it: one sentence each, fit to be shown to a
/// person. Thrown anywhere, caught in two places only: main() of each program, and the GUI's loader thread.
class Error : public std::runtime_error {
  public:
    explicit Error(const std::string& message, ExitStatus status = ExitStatus::InputUnusable)
        : std::runtime_error(message), m_status(status) {}
    [[nodiscard]] ExitStatus status() const { return m_status; }

  private:
    ExitStatus m_status;
};

} // namespace tacho
