// SPDX-License-Identifier: Apache-2.0
#include "collector/inject/range_balance.h"

namespace tacho {

RangeBalance::Entry* RangeBalance::find(std::uint32_t domain) noexcept {
    for (Entry& entry : m_entries)
        if (entry.used && entry.domain == domain)
            return &entry;
    return nullptr;
}

RangeBalance::Entry* RangeBalance::add(std::uint32_t domain) noexcept {
    for (Entry& entry : m_entries) {
        if (entry.used)
            continue;
        entry = {};
        entry.domain = domain;
        entry.used = true;
        ++m_used;
        return &entry;
    }
    return nullptr;
}

void RangeBalance::opened(Entry& entry, bool recorded) noexcept {
    if (entry.depth == 0 && recorded) // nothing lost is open, and nothing owed: as if there had been no loss
        return releaseIfBalanced(entry);
    if (entry.depth < kTracked)
        entry.recorded = entry.recorded << 1 | (recorded ? 1 : 0);
    ++entry.depth;
}

bool RangeBalance::closesLostRange(Entry& entry) noexcept {
    if (entry.depth == 0)
        return false; // of a range from before the loss
    if (--entry.depth >= kTracked)
        return true;
    const bool lost = (entry.recorded & 1) == 0;
    entry.recorded >>= 1;
    if (lost)
        releaseIfBalanced(entry);
    return lost;
}

void RangeBalance::closed(Entry& entry, bool recorded, std::uint64_t timeNs) noexcept {
    if (!recorded) {
        ++entry.owed;
        entry.owedTimeNs = timeNs;
    }
    releaseIfBalanced(entry);
}

void RangeBalance::releaseIfBalanced(Entry& entry) noexcept {
    if (entry.depth > 0 || entry.owed > 0)
        return;
    entry.used = false;
    --m_used;
}

} // namespace tacho
