// SPDX-License-Identifier: Apache-2.0
#include "analyzer/import/sqlite_file.h"

#include "analyzer/model/plausible.h"

#include "analyzer/model/trace_tables.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace tacho {

namespace {

constexpr std::int64_t kRowsPerProgress = 1 << 16;
constexpr const char* kBigTables[] = {"CUPTI_ACTIVITY_KIND_KERNEL",
                                      "CUPTI_ACTIVITY_KIND_MEMCPY",
                                      "CUPTI_ACTIVITY_KIND_MEMSET",
                                      "CUPTI_ACTIVITY_KIND_RUNTIME",
                                      "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
                                      "CUPTI_ACTIVITY_KIND_OVERHEAD",
                                      "NVTX_EVENTS"};

} // namespace

SqliteFile::SqliteFile(Trace& trace, const std::string& path, const Progress& progress)
    : m_trace(trace), m_db(path, Database::Mode::ReadOnly), m_entities(trace, path), m_progress(progress),
      m_stringQuery(m_db, m_db.hasTable("StringIds") ? "SELECT value FROM StringIds WHERE id = ?"
                                                     : "SELECT NULL WHERE 0 = ?"),
      m_rows(countRows()) {}

std::int64_t SqliteFile::countRows() const {
    std::int64_t rows = 1;
    for (const char* base : kBigTables)
        if (const auto table = findTable(m_db, base)) {
            Statement last(m_db, fmt::format("SELECT max(rowid) FROM \"{}\"", *table));
            rows += last.step() ? last.integer(0) : 0;
        }
    return rows;
}

StringId SqliteFile::string(std::int64_t id) {
    const auto [known, isNew] = m_strings.try_emplace(id, StringId{});
    if (isNew) {
        m_stringQuery.bind(0, id);
        while (m_stringQuery.step())
            known->second = m_trace.strings.intern(m_stringQuery.text(0));
    }
    return known->second;
}

StringId SqliteFile::apiName(std::int64_t id) {
    const auto [known, isNew] = m_apiNames.try_emplace(id, StringId{});
    if (isNew)
        known->second = m_trace.strings.intern(withoutVersionSuffix(m_trace.text(string(id))));
    return known->second;
}

ProcessIndex SqliteFile::processOf(std::int64_t globalId) {
    return m_entities.process(processKeyOf(globalId), pidOf(globalId));
}

ThreadIndex SqliteFile::threadOf(std::int64_t globalTid) {
    return m_entities.thread(processOf(globalTid), tidOf(globalTid));
}

std::optional<Interval> SqliteFile::interval(std::int64_t startNs, std::int64_t endNs) {
    if (++m_rowsRead % kRowsPerProgress == 0 && m_progress)
        m_progress(std::min(1.0, static_cast<double>(m_rowsRead) / static_cast<double>(m_rows)));
    if (startNs <= endNs && isPlausible(startNs, endNs))
        return Interval{timeFromNs(startNs), timeFromNs(endNs)};
    ++(startNs <= endNs ? m_impossibleTimes : m_negativeDurations);
    return std::nullopt;
}

std::optional<TimeNs> SqliteFile::time(std::int64_t ns) {
    if (isPlausibleTime(ns))
        return timeFromNs(ns);
    ++m_impossibleTimes;
    return std::nullopt;
}

void SqliteFile::note(Severity severity, const std::string& code, std::int64_t count,
                      const std::string& message) {
    m_trace.health.push_back({severity, code, count, message});
}

void SqliteFile::noteWrongTimes() {
    if (m_negativeDurations > 0)
        note(Severity::DataLoss, "negative_duration", m_negativeDurations,
             fmt::format("{}: {} rows end before they start and were left out", path(), m_negativeDurations));
    if (m_impossibleTimes > 0)
        note(Severity::DataLoss, "impossible_time", m_impossibleTimes,
             fmt::format("{}: {} rows have times that no clock shows and were left out", path(),
                         m_impossibleTimes));
}

} // namespace tacho
