// SPDX-License-Identifier: Apache-2.0
// Texts stored once, known by a 32-bit id.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tacho {

enum class StringId : std::uint32_t {}; ///< StringId{0} is the empty text

/// Not thread-safe while texts are added; free to read from many threads afterwards.
/// Invariant: equal texts have equal ids.
class StringTable {
  public:
    StringTable();
    StringTable(const StringTable&) = delete;
    StringTable& operator=(const StringTable&) = delete;
    StringTable(StringTable&&) = default;
    StringTable& operator=(StringTable&&) = default;

    StringId intern(std::string_view text);
    /// The view lives as long as the table.
    [[nodiscard]] std::string_view text(StringId id) const;
    [[nodiscard]] std::size_t size() const { return m_texts.size(); }

  private:
    std::string_view keep(std::string_view text);

    // Millions of distinct texts are real (one per NVTX range): their bytes lie one behind the other in large
    // blocks.
    std::vector<std::unique_ptr<char[]>> m_blocks;
    std::size_t m_freeBytes = 0; ///< at the end of the last block
    char* m_free = nullptr;
    std::deque<std::string_view> m_texts; ///< into m_blocks
    std::unordered_map<std::string_view, StringId> m_ids;
};

} // namespace tacho
