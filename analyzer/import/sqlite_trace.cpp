// SPDX-License-Identifier: Apache-2.0
#include "analyzer/import/sqlite_trace.h"

#include "analyzer/import/decimal_time.h"
#include "analyzer/import/file_rows.h"
#include "analyzer/import/gpu_counters.h"
#include "analyzer/import/nsys_tables.h"
#include "analyzer/import/tacho_tables.h"
#include "analyzer/model/error.h"
#include "analyzer/model/plausible.h"

#include <array>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>

namespace tacho {

namespace {

constexpr std::int64_t kNewestNsysMajor = 3;

std::uint32_t bigEndian32(const unsigned char* bytes) {
    return static_cast<std::uint32_t>(bytes[0]) << 24 | static_cast<std::uint32_t>(bytes[1]) << 16 |
           static_cast<std::uint32_t>(bytes[2]) << 8 | bytes[3];
}

/// SQLite itself notices missing pages only when it reads them, and then calls the file malformed. Offsets
/// are those of https://www.sqlite.org/fileformat.html, section 1.3.
void refuseCutShort(const std::string& path) {
    std::array<unsigned char, 100> header{};
    std::ifstream file(path, std::ios::binary);
    file.read(reinterpret_cast<char*>(header.data()), header.size());
    const std::uint64_t pageField = static_cast<std::uint64_t>(header[16]) << 8 | header[17];
    const std::uint64_t pageBytes = pageField == 1 ? 65536 : pageField;
    const bool isPageCountValid = bigEndian32(&header[24]) == bigEndian32(&header[92]);
    const std::uint64_t bytes = pageBytes * bigEndian32(&header[28]);
    const std::uint64_t has = std::filesystem::file_size(path);
    if (!file || has < 512 || (isPageCountValid && has < bytes))
        throw Error(fmt::format("{}: was cut short: it has {} of {} bytes; copy or export it again", path,
                                has, std::max<std::uint64_t>(bytes, 512)));
}

bool isNsysExport(const Database& db) {
    Statement query(
        db, "SELECT 1 FROM sqlite_master WHERE type = 'table' AND (name LIKE 'CUPTI_ACTIVITY_KIND_%' OR "
            "name LIKE 'TARGET_INFO_%' OR name LIKE 'NVTX_EVENTS%')");
    return db.hasTable("StringIds") && query.step();
}

std::string nsysSchema(SqliteFile& file) {
    std::string version;
    for (const char* table : {"META_DATA_EXPORT", "EXPORT_META_DATA"}) {
        SqliteRows rows(file.db(), table, {"name", "value"});
        while (rows.next())
            if (rows.text(0) == "EXPORT_SCHEMA_VERSION")
                version = rows.text(1);
    }
    if (leadingInteger(version).value_or(0) > kNewestNsysMajor)
        throw Error(fmt::format(
            "{}: has export schema {} of Nsight Systems, and this tacho knows up to {}; use a newer "
            "tacho, or export with an older Nsight Systems",
            file.path(), version, kNewestNsysMajor));
    return version.empty() ? "nsys" : "nsys schema " + version;
}

void noteMissingGpuWork(SqliteFile& file, const FileRows& rows) {
    if (rows.haveGpuOps(file.trace()))
        return;
    const char* why = rows.haveApiCalls(file.trace()) ? "CUDA was called, but no work of a GPU was recorded"
                                                      : "neither CUDA calls nor work of a GPU were recorded";
    file.note(Severity::Warning, "no_gpu_activity", 1, fmt::format("{}: {}", file.path(), why));
}

/// Nsight Systems counts from the start of the session, tacho on CLOCK_MONOTONIC.
std::optional<std::int64_t> utcOfZero(const SqliteFile& file, Source source) {
    SqliteRows rows(file.db(), "TARGET_INFO_SESSION_START_TIME", {"utcEpochNs", "systemClockNs"});
    if (!rows.next() || rows.isNull(0) || !isPlausibleTime(rows.integer(0)) ||
        !isPlausibleTime(rows.integer(1)))
        return std::nullopt;
    return source == Source::Tacho ? rows.integer(0) - rows.integer(1) : rows.integer(0);
}

} // namespace

FileSummary readSqlite(Trace& trace, const std::string& path, const Progress& progress) {
    refuseCutShort(path);
    const FileRows rows(trace);
    SqliteFile file(trace, path, progress);
    const Source source = file.db().hasTable("TACHO_META") ? Source::Tacho : Source::Nsys;
    if (source == Source::Nsys && !isNsysExport(file.db()))
        throw Error(fmt::format(
            "{}: is an SQLite file, but neither tacho's nor an export of Nsight Systems; give the "
            "file that 'tacho record' or 'nsys export --type sqlite' wrote",
            path));
    FileSummary summary{source, source == Source::Tacho ? readTachoMeta(file) : nsysSchema(file), {}};
    readGpuOps(file);
    readApiCalls(file);
    NcclCalls ncclCalls = readNvtx(file);
    readSyncs(file);
    readOverheads(file);
    readMemoryEvents(file);
    if (source == Source::Tacho)
        readTachoTables(file);
    if (!isFileOfImport(file)) // there they are in the table
        ncclCalls.appendTo(trace);
    readMachine(file);
    readCounters(file);
    readDiagnostics(file);
    noteCompiledCode(file);
    file.noteWrongTimes();
    noteMissingGpuWork(file, rows);
    summary.utcOfZeroNs = utcOfZero(file, source);
    return summary;
}

} // namespace tacho
