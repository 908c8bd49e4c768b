// SPDX-License-Identifier: Apache-2.0
#include "analyzer/model/string_table.h"

#include <algorithm>

namespace tacho {

StringTable::StringTable() {
    intern("");
}

StringId StringTable::intern(std::string_view text) {
    if (const auto known = m_ids.find(text); known != m_ids.end())
        return known->second;
    const auto id = static_cast<StringId>(m_texts.size());
    m_ids.emplace(m_texts.emplace_back(keep(text)), id);
    return id;
}

std::string_view StringTable::keep(std::string_view text) {
    constexpr std::size_t kBlockBytes = std::size_t{256} * 1024;
    if (text.size() > m_freeBytes) {
        m_freeBytes = std::max(kBlockBytes, text.size());
        m_free = m_blocks.emplace_back(std::make_unique_for_overwrite<char[]>(m_freeBytes)).get();
    }
    const std::string_view kept(std::copy(text.begin(), text.end(), m_free) - text.size(), text.size());
    m_free += text.size();
    m_freeBytes -= text.size();
    return kept;
}

std::string_view StringTable::text(StringId id) const {
    return m_texts[static_cast<std::size_t>(id)];
}

} // namespace tacho
