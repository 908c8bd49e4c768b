// SPDX-License-Identifier: Apache-2.0
// The table StringIds: every text once, whichever process it came from.
#pragma once

#include "analyzer/sqlite/insert.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace tacho {

/// Invariant: a text known here has its row. Ids count from 1.
class StringIds {
  public:
    explicit StringIds(const Database& db) : m_insert(db, "StringIds", {"id", "value"}) {}
    [[nodiscard]] std::int64_t intern(std::string_view text);

  private:
    struct Hash {
        using is_transparent = void; // NOLINT(readability-identifier-naming): std's name
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
    };
    Insert m_insert;
    std::unordered_map<std::string, std::int64_t, Hash, std::equal_to<>> m_ids;
};

} // namespace tacho
