// SPDX-License-Identifier: Apache-2.0
// Correlation ids that are unique in a process, although CUPTI counts anew each time it comes.
#pragma once

#include <atomic>
#include <cstdint>

namespace tacho {

/// May be used from any thread. An id of the file is CUPTI's plus the largest one of the visits before.
class Correlations {
  public:
    /// For a new spool file.
    void reset() noexcept { m_base = m_largest = 0; }
    /// CUPTI is about to come again: all its records of the visit before were seen.
    void countAnew() noexcept { m_base.store(m_largest.load()); }
    /// CUPTI's id as one of the file; 0, which is none, stays 0.
    [[nodiscard]] std::uint32_t unique(std::uint32_t cuptiId) noexcept {
        if (cuptiId == 0)
            return 0;
        const std::uint32_t id = m_base.load(std::memory_order_relaxed) + cuptiId;
        std::uint32_t largest = m_largest.load(std::memory_order_relaxed);
        while (largest < id && !m_largest.compare_exchange_weak(largest, id, std::memory_order_relaxed)) {
        }
        return id;
    }

  private:
    std::atomic<std::uint32_t> m_base{0};
    std::atomic<std::uint32_t> m_largest{0};
};

/// The process's.
[[nodiscard]] inline Correlations& correlations() noexcept {
    static constinit Correlations correlations;
    return correlations;
}

} // namespace tacho
