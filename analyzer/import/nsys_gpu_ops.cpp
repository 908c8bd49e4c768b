// SPDX-License-Identifier: Apache-2.0
#include "analyzer/import/nsys_tables.h"
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

/// The columns that all three tables have.
struct CommonColumns {
    std::int64_t startNs, endNs, device, stream, correlation, globalPid;
    bool inGraph;
};

std::optional<GpuOpRow> commonRow(SqliteFile& file, const CommonColumns& columns) {
    const auto interval = file.interval(columns.startNs, columns.endNs);
    if (!interval)
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

void readKernels(SqliteFile& file, std::int64_t otherPid) {
    SqliteRows rows(file.db(), "CUPTI_ACTIVITY_KIND_KERNEL",
                    {"start", "end", "deviceId", "streamId", "correlationId", "globalPid", "graphNodeId",
                     "demangledName", "shortName", "mangledName", "gridX", "gridY", "gridZ", "blockX",
                     "blockY", "blockZ", "registersPerThread", "staticSharedMemory", "dynamicSharedMemory"});
    constexpr int kFirstName = 7;
    constexpr int kFirstShape = 10;
    while (rows.next()) {
        auto row = commonRow(file, {rows.integer(0), rows.integer(1), rows.integer(2), rows.integer(3),
                                    rows.integer(4), rows.integer(5, otherPid), rows.integer(6) != 0});
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

void readCopies(SqliteFile& file, std::int64_t otherPid) {
    constexpr auto kUnknown = static_cast<std::int64_t>(MemoryKind::Unknown);
    SqliteRows rows(file.db(), "CUPTI_ACTIVITY_KIND_MEMCPY",
                    {"start", "end", "deviceId", "streamId", "correlationId", "globalPid", "graphNodeId",
                     "bytes", "copyKind", "srcKind", "dstKind"});
    while (rows.next()) {
        auto row = commonRow(file, {rows.integer(0), rows.integer(1), rows.integer(2), rows.integer(3),
                                    rows.integer(4), rows.integer(5, otherPid), rows.integer(6) != 0});
        if (!row)
            continue;
        row->kind = GpuOpKind::Memcpy;
        row->sizeBytes = rows.integer(7);
        row->copyKind = copyKind(rows.integer(8));
        row->srcKind = memoryKind(rows.integer(9, kUnknown));
        row->dstKind = memoryKind(rows.integer(10, kUnknown));
        append(file.trace().gpuOps, *row);
    }
}

void readSets(SqliteFile& file, std::int64_t otherPid) {
    SqliteRows rows(file.db(), "CUPTI_ACTIVITY_KIND_MEMSET",
                    {"start", "end", "deviceId", "streamId", "correlationId", "globalPid", "graphNodeId",
                     "bytes", "memKind"});
    while (rows.next()) {
        auto row = commonRow(file, {rows.integer(0), rows.integer(1), rows.integer(2), rows.integer(3),
                                    rows.integer(4), rows.integer(5, otherPid), rows.integer(6) != 0});
        if (!row)
            continue;
        row->kind = GpuOpKind::Memset;
        row->sizeBytes = rows.integer(7);
        row->dstKind = memoryKind(rows.integer(8, static_cast<std::int64_t>(MemoryKind::Unknown)));
        append(file.trace().gpuOps, *row);
    }
}

using Windows = std::map<std::int64_t, std::vector<Interval>>; ///< by process key

/// The file was made by tacho import: it has the notes of the original, and no launches outside of windows.
bool wasImported(const Database& db) {
    bool imported = false;
    for (SqliteRows rows(db, "TACHO_META", {"name"}); rows.next();)
        imported = imported || rows.text(0) == "imported_from";
    return imported;
}

Windows windowsOf(const Database& db) {
    Windows windows;
    SqliteRows rows(db, "TACHO_WINDOWS", {"global_pid", "start_ns", "end_ns"});
    while (rows.next())
        windows[processKeyOf(rows.integer(0))].push_back(
            {timeFromNs(rows.integer(1)), rows.isNull(2) ? TimeNs::max() : timeFromNs(rows.integer(2))});
    return windows;
}

bool isInside(const std::vector<Interval>& windows, TimeNs time) {
    return std::any_of(windows.begin(), windows.end(),
                       [&](const Interval& window) { return window.start <= time && time < window.end; });
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

/// tacho records these outside of its windows, too, where everything else of the GPU is missing.
void readWholeGraphs(SqliteFile& file, std::int64_t otherPid) {
    const bool isImport = wasImported(file.db());
    const bool isOwn = file.db().hasTable("TACHO_META") && !isImport;
    Windows windows = windowsOf(file.db());
    std::int64_t count = 0;
    SqliteRows rows(file.db(), "CUPTI_ACTIVITY_KIND_GRAPH_TRACE",
                    {"start", "end", "deviceId", "streamId", "correlationId", "globalPid"});
    while (rows.next()) {
        const std::int64_t globalPid = rows.integer(5, otherPid);
        auto row = commonRow(file, {rows.integer(0), rows.integer(1), rows.integer(2), rows.integer(3),
                                    rows.integer(4), globalPid, true});
        if (!row || (isOwn && !isInside(windows[processKeyOf(globalPid)], row->interval.start)))
            continue;
        row->name = file.trace().strings.intern(kWholeGraph);
        append(file.trace().gpuOps, *row);
        ++count;
    }
    if (count > 0 && !isImport)
        noteWholeGraphs(file, count, isOwn);
}

} // namespace

void readGpuOps(SqliteFile& file) {
    const std::int64_t otherPid = onlyGlobalPid(file.db());
    readKernels(file, otherPid);
    readCopies(file, otherPid);
    readSets(file, otherPid);
    readWholeGraphs(file, otherPid);
}

} // namespace tacho
