// SPDX-License-Identifier: Apache-2.0
// Keeps the pushes and pops of a thread paired when some of them could not be recorded.
#pragma once

#include <cstdint>

namespace tacho {

/// Which of a thread's open ranges are recorded, from the first one that could not be. A range whose push was
/// lost loses its pop too; a pop that was lost is owed, and is recorded before the thread's next push or pop
/// of that domain. So what is recorded pairs as the thread meant it.
///
/// One per thread, zero-initialised. Domains that have lost nothing cost one comparison. At most kDomains
/// domains of a thread can be out of balance at once; the losses of more are only counted by the EventLog.
class RangeBalance {
  public:
    /// `tryRecord()` records the push; `tryPop(timeNs)` an owed pop. Each returns false if it could not.
    template <typename TryRecord, typename TryPop>
    void push(std::uint32_t domain, TryRecord tryRecord, TryPop tryPop) noexcept {
        Entry* entry = m_used == 0 ? nullptr : find(domain);
        const bool may = !entry || (entry->depth < kTracked && settle(*entry, tryPop));
        const bool recorded = may && tryRecord();
        if (!recorded && !entry)
            entry = add(domain);
        if (entry)
            opened(*entry, recorded);
    }

    /// As push(), for a pop at `timeNs`.
    template <typename TryPop>
    void pop(std::uint32_t domain, std::uint64_t timeNs, TryPop tryPop) noexcept {
        Entry* entry = m_used == 0 ? nullptr : find(domain);
        if (entry && closesLostRange(*entry))
            return;
        const bool recorded = (!entry || settle(*entry, tryPop)) && tryPop(timeNs);
        if (!recorded && !entry)
            entry = add(domain);
        if (entry)
            closed(*entry, recorded, timeNs);
    }

  private:
    static constexpr int kDomains = 4;
    static constexpr std::uint32_t kTracked = 64; ///< deeper ranges are not recorded while one is lost

    struct Entry {
        std::uint64_t recorded;   ///< bit 0: the innermost range is recorded
        std::uint64_t owedTimeNs; ///< of the latest owed pop
        std::uint32_t domain;
        std::uint32_t depth; ///< ranges opened since the first loss
        std::uint32_t owed;  ///< pops
        bool used;
    };

    template <typename TryPop>
    [[nodiscard]] static bool settle(Entry& entry, TryPop tryPop) noexcept {
        for (; entry.owed > 0; --entry.owed)
            if (!tryPop(entry.owedTimeNs))
                return false;
        return true;
    }

    [[nodiscard]] Entry* find(std::uint32_t domain) noexcept;
    [[nodiscard]] Entry* add(std::uint32_t domain) noexcept;
    void opened(Entry& entry, bool recorded) noexcept;
    void closed(Entry& entry, bool recorded, std::uint64_t timeNs) noexcept;
    [[nodiscard]] bool closesLostRange(Entry& entry) noexcept;
    void releaseIfBalanced(Entry& entry) noexcept;

    Entry m_entries[kDomains];
    std::uint32_t m_used;
};

} // namespace tacho
