// SPDX-License-Identifier: Apache-2.0
// From content to small numbers.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tacho {

/// Gives each distinct content an id, by its 64-bit hash alone: of a million names two share an id with a
/// probability of 3e-8. Used by one thread. Grows with mmap, so that the host's allocator is never entered.
class InternTable {
  public:
    struct Entry {
        std::uint32_t id;
        bool isNew; ///< the caller must write the definition
    };

    /// The id of the content, counting from 1. Without memory every content is new each time.
    [[nodiscard]] Entry intern(const void* content, std::size_t size) noexcept;
    /// Forgets everything (a new spool file, a forked child). The memory of a forked parent is left alone.
    void reset() noexcept;

  private:
    struct Slot {
        std::uint64_t hash; ///< 0: free
        std::uint32_t id;
    };
    [[nodiscard]] bool grow() noexcept;
    [[nodiscard]] Slot* find(std::uint64_t hash) const noexcept;

    Slot* m_slots = nullptr;
    std::size_t m_capacity = 0; ///< a power of two
    std::size_t m_used = 0;
    std::uint32_t m_lastId = 0;
};

/// Multiplies and folds eight bytes at a time; never 0.
[[nodiscard]] std::uint64_t contentHash(const void* content, std::size_t size) noexcept;

} // namespace tacho
