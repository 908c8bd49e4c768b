// SPDX-License-Identifier: Apache-2.0
#include "analyzer/import/nsys_tables.h"
#include "analyzer/model/plausible.h"
#include "analyzer/model/trace_tables.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace tacho {

namespace {

/// Very old and hand-made exports have no process in the GPU tables: the work is of the process that calls.
std::int64_t onlyGlobalPid(const Database& db) {
    SqliteRows calls(db, "CUPTI_ACTIVITY_KIND_RUNTIME", {"globalTid"});
    return calls.next() ? calls.integer(0) : 0;
}

/// The file was made by tacho import: it has the notes of the original, and no work from outside of windows.
bool wasImported(const Database& db) {
    bool imported = false;
    for (SqliteRows rows(db, "TACHO_META", {"name"}); rows.next();)
        imported = imported || rows.text(0) == "imported_from";
    return imported;
}

/// What must be known of the file to read its rows.
class Capture {
  public:
    explicit Capture(const Database& db)
        : m_onlyGlobalPid(onlyGlobalPid(db)), m_isImport(wasImported(db)),
          m_isOwn(db.hasTable("TACHO_META") && !m_isImport) {
        SqliteRows rows(db, "TACHO_WINDOWS", {"global_pid", "start_ns", "end_ns"});
        while (rows.next())
            m_windows[processKeyOf(rows.integer(0))].push_back(
                {timeFromNs(rows.integer(1)), rows.isNull(2) ? TimeNs::max() : timeFromNs(rows.integer(2))});
    }

    [[nodiscard]] std::int64_t onlyPid() const { return m_onlyGlobalPid; }
    [[nodiscard]] bool isOwn() const { return m_isOwn; }
    [[nodiscard]] bool isImport() const { return m_isImport; }
    /// CUPTI goes on recording a graph that was instantiated while a window was open, or, recorded as one,
    /// any graph. The calls that launch them are missing there, and all other work.
    [[nodiscard]] bool isGraphOutsideOfWindows(std::int64_t globalPid, TimeNs time) const {
        if (!m_isOwn)
            return false;
        const auto own = m_windows.find(processKeyOf(globalPid));
        return own == m_windows.end() ||
               std::none_of(own->second.begin(), own->second.end(), [&](const Interval& window) {
                   return window.start <= time && time < window.end;
               });
    }

  private:
    std::int64_t m_onlyGlobalPid;
    bool m_isImport, m_isOwn;
    std::map<std::int64_t, std::vector<Interval>> m_windows; ///< by process key
};

/// The columns that all three tables have.
struct CommonColumns {
    std::int64_t startNs, endNs, device, stream, correlation, globalPid;
    bool inGraph;
};

std::optional<GpuOpRow> commonRow(SqliteFile& file, const Capture& capture, const CommonColumns& columns) {
    const auto interval = file.interval(columns.startNs, columns.endNs);
    if (!interval || (columns.inGraph && capture.isGraphOutsideOfWindows(columns.globalPid, interval->start)))
        return std::nullopt;
    GpuOpRow row;
    row.interval = *interval;
    row.correlation = static_cast<std::uint32_t>(columns.correlation);
    row.stream = static_cast<std::uint32_t>(columns.stream);
    row.device =
        file.entities().device(file.processOf(columns.globalPid), static_cast<std::int32_t>(columns.device));
    row.inGraph = columns.inGraph;
    return row;
}

std::uint32_t shapeOf(SqliteFile& file, const SqliteRows& rows, int first) {
    const auto at = [&](int i) { return static_cast<std::int32_t>(rows.integer(first + i, -1)); };
    const LaunchShape shape{{at(0), at(1), at(2)}, {at(3), at(4), at(5)}, at(6), at(7), at(8)};
    return shape == LaunchShape{} ? kNoRow : file.entities().shape(shape);
}

void readKernels(SqliteFile& file, const Capture& capture) {
    SqliteRows rows(file.db(), "CUPTI_ACTIVITY_KIND_KERNEL",
                    {"start", "end", "deviceId", "streamId", "correlationId", "globalPid", "graphNodeId",
                     "demangledName", "shortName", "mangledName", "gridX", "gridY", "gridZ", "blockX",
                     "blockY", "blockZ", "registersPerThread", "staticSharedMemory", "dynamicSharedMemory"});
    constexpr int kFirstName = 7;
    constexpr int kFirstShape = 10;
    while (rows.next()) {
        auto row = commonRow(file, capture,
                             {rows.integer(0), rows.integer(1), rows.integer(2), rows.integer(3),
                              rows.integer(4), rows.integer(5, capture.onlyPid()), rows.integer(6) != 0});
        if (!row)
            continue;
        for (int name = kFirstName; name < kFirstShape && row->name == StringId{}; ++name)
            if (!rows.isNull(name))
                row->name = file.string(rows.integer(name));
        row->shape = shapeOf(file, rows, kFirstShape);
        append(file.trace().gpuOps, *row);
    }
}

MemoryKind memoryKind(std::int64_t value) {
    return value >= 0 && value <= static_cast<int>(MemoryKind::Unknown) ? static_cast<MemoryKind>(value)
                                                                        : MemoryKind::Unknown;
}

CopyKind copyKind(std::int64_t value) {
    return value >= 0 && value <= static_cast<int>(CopyKind::UnifiedDeviceToDevice)
               ? static_cast<CopyKind>(value)
               : CopyKind::Unknown;
}

void readCopies(SqliteFile& file, const Capture& capture) {
    constexpr auto kUnknown = static_cast<std::int64_t>(MemoryKind::Unknown);
    SqliteRows rows(file.db(), "CUPTI_ACTIVITY_KIND_MEMCPY",
                    {"start", "end", "deviceId", "streamId", "correlationId", "globalPid", "graphNodeId",
                     "bytes", "copyKind", "srcKind", "dstKind"});
    while (rows.next()) {
        auto row = commonRow(file, capture,
                             {rows.integer(0), rows.integer(1), rows.integer(2), rows.integer(3),
                              rows.integer(4), rows.integer(5, capture.onlyPid()), rows.integer(6) != 0});
        if (!row)
            continue;
        row->kind = GpuOpKind::Memcpy;
        row->sizeBytes = plausibleBytes(rows.integer(7));
        row->copyKind = copyKind(rows.integer(8));
        row->srcKind = memoryKind(rows.integer(9, kUnknown));
        row->dstKind = memoryKind(rows.integer(10, kUnknown));
        append(file.trace().gpuOps, *row);
    }
}

void readSets(SqliteFile& file, const Capture& capture) {
    SqliteRows rows(file.db(), "CUPTI_ACTIVITY_KIND_MEMSET",
                    {"start", "end", "deviceId", "streamId", "correlationId", "globalPid", "graphNodeId",
                     "bytes", "memKind"});
    while (rows.next()) {
        auto row = commonRow(file, capture,
                             {rows.integer(0), rows.integer(1), rows.integer(2), rows.integer(3),
                              rows.integer(4), rows.integer(5, capture.onlyPid()), rows.integer(6) != 0});
        if (!row)
            continue;
        row->kind = GpuOpKind::Memset;
        row->sizeBytes = plausibleBytes(rows.integer(7));
        row->dstKind = memoryKind(rows.integer(8, static_cast<std::int64_t>(MemoryKind::Unknown)));
        append(file.trace().gpuOps, *row);
    }
}

void noteWholeGraphs(SqliteFile& file, std::int64_t count, bool isOwn) {
    constexpr const char* kText =
        "{}: {} CUDA graph launches were recorded as one each: the time counts, but "
        "not what ran in it; {}";
    file.note(isOwn ? Severity::Info : Severity::Warning, "whole_graphs", count,
              fmt::format(kText, file.path(), count,
                          isOwn ? "record with --cuda-graph node to see the kernels"
                                : "record again with 'nsys profile --cuda-graph-trace=node'"));
}

void readWholeGraphs(SqliteFile& file, const Capture& capture) {
    std::int64_t count = 0;
    SqliteRows rows(file.db(), "CUPTI_ACTIVITY_KIND_GRAPH_TRACE",
                    {"start", "end", "deviceId", "streamId", "correlationId", "globalPid"});
    while (rows.next()) {
        auto row = commonRow(file, capture,
                             {rows.integer(0), rows.integer(1), rows.integer(2), rows.integer(3),
                              rows.integer(4), rows.integer(5, capture.onlyPid()), true});
        if (!row)
            continue;
        row->name = file.trace().strings.intern(kWholeGraph);
        append(file.trace().gpuOps, *row);
        ++count;
    }
    if (count > 0 && !capture.isImport())
        noteWholeGraphs(file, count, capture.isOwn());
}

} // namespace

void readGpuOps(SqliteFile& file) {
    const Capture capture(file.db());
    readKernels(file, capture);
    readCopies(file, capture);
    readSets(file, capture);
    readWholeGraphs(file, capture);
}

} // namespace tacho
