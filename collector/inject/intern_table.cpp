// SPDX-License-Identifier: Apache-2.0
#include "collector/inject/intern_table.h"

#include <cstring>
#include <sys/mman.h>

namespace tacho {

std::uint64_t contentHash(const void* content, std::size_t size) noexcept {
    constexpr std::uint64_t kMultiplier = 0x9e3779b97f4a7c15; // 2^64 / golden ratio, odd
    const auto* bytes = static_cast<const std::uint8_t*>(content);
    std::uint64_t hash = size * kMultiplier;
    while (size > 0) {
        const std::size_t part = size < sizeof(std::uint64_t) ? size : sizeof(std::uint64_t);
        std::uint64_t word = 0;
        std::memcpy(&word, bytes, part);
        hash = (hash ^ word) * kMultiplier;
        hash ^= hash >> 32;
        bytes += part;
        size -= part;
    }
    hash *= kMultiplier;
    hash ^= hash >> 29;
    return hash == 0 ? 1 : hash; // 0 marks a free slot
}

InternTable::Slot* InternTable::find(std::uint64_t hash) const noexcept {
    for (std::size_t at = hash & (m_capacity - 1);; at = (at + 1) & (m_capacity - 1))
        if (m_slots[at].hash == hash || m_slots[at].hash == 0)
            return &m_slots[at];
}

bool InternTable::grow() noexcept {
    constexpr std::size_t kFirstCapacity = 4096;
    const std::size_t capacity = m_capacity == 0 ? kFirstCapacity : m_capacity * 2;
    void* memory =
        mmap(nullptr, capacity * sizeof(Slot), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return false;
    Slot* const oldSlots = m_slots;
    const std::size_t oldCapacity = m_capacity;
    m_slots = static_cast<Slot*>(memory); // mmap's memory is zero: all slots free
    m_capacity = capacity;
    for (std::size_t i = 0; i < oldCapacity; ++i)
        if (oldSlots[i].hash != 0)
            *find(oldSlots[i].hash) = oldSlots[i];
    if (oldSlots)
        munmap(oldSlots, oldCapacity * sizeof(Slot));
    return true;
}

InternTable::Entry InternTable::intern(const void* content, std::size_t size) noexcept {
    if ((m_used + 1) * 4 > m_capacity * 3 && !grow() && m_used + 1 >= m_capacity)
        return {++m_lastId, true};
    const std::uint64_t hash = contentHash(content, size);
    Slot* slot = find(hash);
    if (slot->hash == hash)
        return {slot->id, false};
    *slot = {hash, ++m_lastId};
    ++m_used;
    return {m_lastId, true};
}

void InternTable::reset() noexcept {
    *this = InternTable{};
}

} // namespace tacho
