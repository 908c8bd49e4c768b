// SPDX-License-Identifier: Apache-2.0
// The imperfections of a capture, collected for TACHO_HEALTH.
#pragma once

#include "analyzer/sqlite/sqlite.h"
#include "collector/inject/spool_format.h"
#include "collector/recorder/spool_reader.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace tacho {

struct HealthRow {
    spool::Severity severity = spool::Severity::Info;
    std::string code;    ///< stable
    std::string message; ///< for people
    std::uint64_t count = 1;
};

/// A record of RecordType::Health; absent: too short for what it says it holds.
[[nodiscard]] std::optional<HealthRow> healthOf(const SpoolRecord& record);

/// Notes of the same process and code become one: counts add up, the worst severity and last message stay.
class HealthLog {
  public:
    /// `globalPid` absent: of the recording as a whole.
    void add(const HealthRow& note, std::optional<std::int64_t> globalPid = std::nullopt);
    void write(const Database& db) const;

  private:
    std::map<std::pair<std::optional<std::int64_t>, std::string>, HealthRow> m_notes;
};

} // namespace tacho
