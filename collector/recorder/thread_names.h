// SPDX-License-Identifier: Apache-2.0
// The names of a recorded process's threads.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>

namespace tacho {

/// Names that the training gives its threads: by NVTX, and else the names that the system knows them by. The
/// latter are read from outside while the process lives, so they cost it nothing; threads that come and go
/// between two looks stay nameless.
class ThreadNames {
  public:
    void setByNvtx(std::uint32_t threadId, std::string name) { m_byNvtx[threadId] = std::move(name); }
    /// Looks at the living threads of the process, at most once in kPeriod.
    void look(std::int32_t pid);
    /// By thread id.
    [[nodiscard]] std::map<std::uint32_t, std::string> all() const;

  private:
    static constexpr std::chrono::seconds kPeriod{1};
    std::map<std::uint32_t, std::string> m_byNvtx;
    std::map<std::uint32_t, std::string> m_bySystem;
    std::chrono::steady_clock::time_point m_nextLook{};
};

} // namespace tacho
