// SPDX-License-Identifier: Apache-2.0
#include "analyzer/model/string_table.h"

namespace tacho {

StringTable::StringTable() {
    intern("");
}

StringId StringTable::intern(std::string_view text) {
    if (const auto known = m_ids.find(text); known != m_ids.end())
        return known->second;
    const auto id = static_cast<StringId>(m_texts.size());
    m_ids.emplace(m_texts.emplace_back(text), id);
    return id;
}

std::string_view StringTable::text(StringId id) const {
    return m_texts[static_cast<std::size_t>(id)];
}

} // namespace tacho
