// SPDX-License-Identifier: Apache-2.0
// One SQLite trace while it is being read.
#pragma once

#include "analyzer/import/progress.h"
#include "analyzer/import/sqlite_rows.h"
#include "analyzer/import/trace_entities.h"

#include <unordered_map>

namespace tacho {

/// Global ids: hardware id << 56 | VM id << 48 | process id << 24 | thread id.
[[nodiscard]] constexpr std::int64_t processKeyOf(std::int64_t globalId) {
    return globalId >> 24;
}
[[nodiscard]] constexpr std::int64_t pidOf(std::int64_t globalId) {
    return processKeyOf(globalId) & 0xffffff;
}
[[nodiscard]] constexpr std::int64_t tidOf(std::int64_t globalId) {
    return globalId & 0xffffff;
}

class SqliteFile {
  public:
    /// Borrows trace and progress.
    SqliteFile(Trace& trace, const std::string& path, const Progress& progress);

    [[nodiscard]] const Database& db() const { return m_db; }
    [[nodiscard]] const std::string& path() const { return m_db.path(); }
    [[nodiscard]] Trace& trace() { return m_trace; }
    [[nodiscard]] TraceEntities& entities() { return m_entities; }

    /// The text that StringIds has for the id.
    StringId string(std::int64_t id);
    /// The same as a name of an API function: without its version suffix.
    StringId apiName(std::int64_t id);
    ProcessIndex processOf(std::int64_t globalId);
    ThreadIndex threadOf(std::int64_t globalTid);

    /// Checks the times of a row, counts the row for progress; nothing if it ends before it starts, or if
    /// they are not plausible.
    [[nodiscard]] std::optional<Interval> interval(std::int64_t startNs, std::int64_t endNs);
    void note(Severity severity, const std::string& code, std::int64_t count, const std::string& message);
    [[nodiscard]] std::optional<TimeNs> time(std::int64_t ns); ///< the same of a moment
    void noteWrongTimes();

  private:
    std::int64_t countRows() const;

    Trace& m_trace;
    Database m_db;
    TraceEntities m_entities;
    const Progress& m_progress;
    Statement m_stringQuery;
    std::unordered_map<std::int64_t, StringId> m_strings, m_apiNames;
    std::int64_t m_rows = 0, m_rowsRead = 0, m_negativeDurations = 0, m_impossibleTimes = 0;
};

} // namespace tacho
