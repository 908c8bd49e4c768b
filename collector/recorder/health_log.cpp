// SPDX-License-Identifier: Apache-2.0
#include "collector/recorder/health_log.h"

#include "analyzer/sqlite/insert.h"

#include <algorithm>

namespace tacho {

namespace {

std::string_view severityName(spool::Severity severity) {
    switch (severity) {
    case spool::Severity::Info:
        return "info";
    case spool::Severity::Warning:
        return "warning";
    case spool::Severity::DataLoss:
        return "data_loss";
    case spool::Severity::Error:
        break;
    }
    return "error";
}

} // namespace

void HealthLog::add(const HealthRow& note, std::optional<std::int64_t> globalPid) {
    const auto [known, isNew] = m_notes.try_emplace({globalPid, note.code}, note);
    if (isNew)
        return;
    HealthRow& sum = known->second;
    sum.severity = std::max(sum.severity, note.severity);
    sum.message = note.message;
    sum.count += note.count;
}

void HealthLog::write(const Database& db) const {
    Insert insert(db, "TACHO_HEALTH", {"severity", "code", "count", "message", "global_pid"});
    for (const auto& [key, note] : m_notes)
        insert.row(severityName(note.severity), note.code, note.count, note.message, key.first);
}

} // namespace tacho
