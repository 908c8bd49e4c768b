// SPDX-License-Identifier: Apache-2.0
#include "analyzer/import/nsys_tables.h"
#include "analyzer/model/trace_tables.h"

#include <fmt/format.h>

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

/// Nsight Systems records a CUDA graph as one block unless told otherwise; its kernels are then nowhere.
void noteWholeGraphs(SqliteFile& file) {
    const auto table = findTable(file.db(), "CUPTI_ACTIVITY_KIND_GRAPH_TRACE");
    if (!table)
        return;
    Statement count(file.db(), fmt::format("SELECT count(*) FROM \"{}\"", *table));
    if (count.step() && count.integer(0) > 0)
        file.note(
            Severity::DataLoss, "whole_graphs", count.integer(0),
            fmt::format(
                "{}: {} CUDA graph launches were recorded as one block each, without their kernels; record "
                "again with 'nsys profile --cuda-graph-trace=node'",
                file.path(), count.integer(0)));
}

} // namespace

void readGpuOps(SqliteFile& file) {
    const std::int64_t otherPid = onlyGlobalPid(file.db());
    readKernels(file, otherPid);
    readCopies(file, otherPid);
    readSets(file, otherPid);
    noteWholeGraphs(file);
}

} // namespace tacho
