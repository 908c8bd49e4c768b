// SPDX-License-Identifier: Apache-2.0
#include "collector/recorder/counter_table.h"

#include <fmt/format.h>

namespace tacho {

CounterTable::CounterTable(const Database& db)
    : m_value(db, "GPU_METRICS", {"timestamp", "typeId", "metricId", "value"}),
      m_name(db, "TARGET_INFO_GPU_METRICS", {"typeId", "typeName", "metricId", "metricName"}) {}

void CounterTable::add(std::int64_t gpu, const std::string& counter, std::uint64_t timeNs, double value) {
    const std::int64_t id = m_ids.try_emplace(counter, static_cast<std::int64_t>(m_ids.size())).first->second;
    if (m_named.emplace(gpu, id).second)
        m_name.row(gpu, fmt::format("GPU {}", gpu), id, counter);
    m_value.row(timeNs, gpu, id, value);
}

} // namespace tacho
