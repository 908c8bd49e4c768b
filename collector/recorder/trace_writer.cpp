// SPDX-License-Identifier: Apache-2.0
#include "collector/recorder/trace_writer.h"

#include <array>
#include <ctime>
#include <fmt/format.h>
#include <utility>

namespace tacho {

namespace embedded {
extern const std::string_view schemaSql;
} // namespace embedded

namespace {

constexpr int kFormatVersion = 1; // of the TACHO_ tables
// The version of Nsight Systems' export whose tables share/schema.sql follows.
constexpr std::array<const char*, 3> kExportVersion = {"3", "25", "0"};

// A crash of the machine may cost the file: the spool has everything until the file is complete.
constexpr const char* kPragmas = "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;"
                                 "PRAGMA locking_mode=EXCLUSIVE; PRAGMA temp_store=MEMORY;";

std::string isoTime(std::int64_t utcNs, decltype(&gmtime_r) zone) {
    const auto seconds = static_cast<std::time_t>(utcNs / 1'000'000'000);
    std::tm parts{};
    zone(&seconds, &parts);
    std::array<char, 32> text{};
    std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &parts);
    return text.data();
}

} // namespace

TraceWriter::TraceWriter(std::filesystem::path file, const CaptureSession& session)
    : m_file(std::move(file)), m_partial(m_file.string() + ".partial") {
    try {
        create(session);
    } catch (...) {
        discard();
        throw;
    }
}

TraceWriter::~TraceWriter() {
    discard();
}

void TraceWriter::create(const CaptureSession& session) {
    discard(); // of a recorder that was killed; its spool is what counts
    m_db.emplace(m_partial.string(), Database::Mode::Create);
    m_db->execute(kPragmas);
    Transaction batch(*m_db);
    m_db->execute(std::string(embedded::schemaSql));
    m_db->execute(fmt::format("PRAGMA user_version={}", kFormatVersion));
    m_rows.emplace(*m_db);
    writeStart(session);
    batch.commit();
}

void TraceWriter::discard() {
    m_rows.reset();
    m_db.reset();
    std::error_code ignored;
    std::filesystem::remove(m_partial, ignored);
}

void TraceWriter::writeStart(const CaptureSession& session) {
    Insert meta(*m_db, "TACHO_META", {"name", "value"});
    meta.row("format_version", std::to_string(kFormatVersion));
    meta.row("tacho_version", TACHO_VERSION);
    meta.row("command", session.commandLine);
    meta.row("hostname", session.hostname);
    meta.row("window", session.window);
    meta.row("start_utc_ns", std::to_string(session.startUtcNs));

    Insert compatible(*m_db, "META_DATA_EXPORT", {"name", "value"});
    const auto& [major, minor, micro] = kExportVersion;
    compatible.row("EXPORT_PRODUCT_NAME", "tacho");
    compatible.row("EXPORT_PRODUCT_VERSION", TACHO_VERSION);
    compatible.row("EXPORT_SCHEMA_VERSION", fmt::format("{}.{}.{}", major, minor, micro));
    compatible.row("EXPORT_SCHEMA_VERSION_MAJOR", major);
    compatible.row("EXPORT_SCHEMA_VERSION_MINOR", minor);
    compatible.row("EXPORT_SCHEMA_VERSION_MICRO", micro);
    compatible.row("EXPORT_TIME_UTC", isoTime(session.startUtcNs, gmtime_r));
    compatible.row("EXPORT_HOST", session.hostname);

    Insert start(*m_db, "TARGET_INFO_SESSION_START_TIME",
                 {"utcEpochNs", "utcTime", "localTime", "systemClockNs"});
    start.row(session.startUtcNs, isoTime(session.startUtcNs, gmtime_r),
              isoTime(session.startUtcNs, localtime_r), session.startNs);
}

void TraceWriter::writeEnd(const CaptureSession& session) {
    m_rows->processes.write(*m_db);
    m_rows->health.write(*m_db);
    Insert meta(*m_db, "TACHO_META", {"name", "value"});
    if (session.endUtcNs)
        meta.row("end_utc_ns", std::to_string(*session.endUtcNs));
    if (session.exitStatus)
        meta.row("exit_status", std::to_string(*session.exitStatus));
    for (const char* name : {"driver_version", "cupti_version", "cupti_library"})
        if (const auto value = m_rows->processes.fact(name))
            meta.row(name, *value);
}

void TraceWriter::finish(const CaptureSession& session) {
    Transaction batch(*m_db);
    writeEnd(session);
    batch.commit();
    m_rows.reset();
    m_db.reset();
    std::error_code error;
    std::filesystem::rename(m_partial, m_file, error);
    if (error)
        throw Error(fmt::format("{}: cannot rename the finished file to {}: {}", m_partial.string(),
                                m_file.string(), error.message()));
}

} // namespace tacho
