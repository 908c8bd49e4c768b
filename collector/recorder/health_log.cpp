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

std::optional<HealthRow> healthOf(const SpoolRecord& record) {
    const auto health = record.as<spool::Health>();
    const auto code = health ? record.text<spool::Health>(health->codeBytes) : std::nullopt;
    const auto message =
        code ? record.text<spool::Health>(health->messageBytes, health->codeBytes) : std::nullopt;
    if (!message)
        return std::nullopt;
    return HealthRow{static_cast<spool::Severity>(health->severity), std::string(*code),
                     std::string(*message), health->count};
}

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
