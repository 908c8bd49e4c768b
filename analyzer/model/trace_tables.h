// SPDX-License-Identifier: Apache-2.0
// Filling the tables of a Trace row by row, and bringing them to the order that trace.h promises.
#pragma once

#include "analyzer/model/trace.h"

#include <string_view>

namespace tacho {

struct GpuOpRow {
    Interval interval;
    StringId name{};
    std::uint32_t correlation = 0;
    std::uint32_t stream = 0;
    DeviceIndex device{};
    GpuOpKind kind = GpuOpKind::Kernel;
    std::uint32_t shape = kNoRow;
    std::int64_t sizeBytes = 0;
    CopyKind copyKind = CopyKind::Unknown;
    MemoryKind srcKind = MemoryKind::Unknown, dstKind = MemoryKind::Unknown;
    bool inGraph = false;
};
struct ApiCallRow {
    Interval interval;
    StringId name{}; ///< without version suffix
    ThreadIndex thread{};
    std::uint32_t correlation = 0;
};
struct RangeRow {
    Interval interval;
    StringId name{}, domain{};
    ThreadIndex thread{};
    RangeKind kind = RangeKind::Nvtx;
};
struct SyncRow {
    Interval interval;
    SyncKind kind = SyncKind::Unknown;
    ProcessIndex process{};
    std::uint32_t stream = 0xffffffff, correlation = 0;
};
struct OverheadRow {
    Interval interval;
    OverheadKind kind = OverheadKind::Unknown;
    ThreadIndex thread = kNoThread;
};

// Rows may be appended in any order; completeTables() sorts them.
void append(GpuOps& table, const GpuOpRow& row);
void append(ApiCalls& table, const ApiCallRow& row);
void append(Ranges& table, const RangeRow& row);
void append(Syncs& table, const SyncRow& row);
void append(Overheads& table, const OverheadRow& row);

/// Takes out the rows, which are sorted and different.
void removeRows(GpuOps& table, const std::vector<std::uint32_t>& rows);

/// "cudaLaunchKernel" of "cudaLaunchKernel_ptsz_v7000": the same call under the headers of several CUDA
/// versions.
[[nodiscard]] std::string_view withoutVersionSuffix(std::string_view apiName);

/// Of a CUDA runtime, CUDA driver or HIP function, without version suffix.
[[nodiscard]] ApiKind classifyApi(std::string_view name);

/// Sorts every table, fills ApiCalls::kind, and links GpuOps::launch to the call that has the same process
/// and the same correlation id (the earliest, if several). Work without a call, and calls without work, stay
/// as they are: a capture that was cut in time has many.
void completeTables(Trace& trace);

} // namespace tacho
