// SPDX-License-Identifier: Apache-2.0
// How `tacho ctl` tells running processes to record or not to.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tacho {

/// The file `control` in the spool directory. It holds `start` or `stop`, and is replaced by rename(), so
/// that a reader sees one or the other. It overrides the window from then on. Writer thread only.
class ControlFile {
  public:
    enum class Command : std::uint8_t { None, Start, Stop };

    /// `directory`: of the spool; null: there is none, and no command ever.
    void reset(const char* directory) noexcept;
    /// What it says now; None: there is no such file.
    [[nodiscard]] Command read() const noexcept;

  private:
    static constexpr std::size_t kLongestPath = 4096;
    char m_path[kLongestPath] = {};
};

} // namespace tacho
