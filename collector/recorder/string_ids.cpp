// SPDX-License-Identifier: Apache-2.0
#include "collector/recorder/string_ids.h"

namespace tacho {

std::int64_t StringIds::intern(std::string_view text) {
    const auto known = m_ids.find(text);
    if (known != m_ids.end())
        return known->second;
    const auto id = static_cast<std::int64_t>(m_ids.size()) + 1;
    m_insert.row(id, text);
    m_ids.emplace(text, id);
    return id;
}

} // namespace tacho
