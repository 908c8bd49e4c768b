// SPDX-License-Identifier: Apache-2.0
// Samples of GPU counters, as rows.
#pragma once

#include "analyzer/sqlite/insert.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace tacho {

/// Fills GPU_METRICS and TARGET_INFO_GPU_METRICS. Counters are numbered from 0 as they come.
class CounterTable {
  public:
    explicit CounterTable(const Database& db);
    /// `gpu` is TARGET_INFO_GPU.id; `counter` ends in its unit.
    void add(std::int64_t gpu, const std::string& counter, std::uint64_t timeNs, double value);

  private:
    Insert m_value, m_name;
    std::map<std::string, std::int64_t, std::less<>> m_ids;
    std::set<std::pair<std::int64_t, std::int64_t>> m_named; ///< GPU, counter
};

} // namespace tacho
