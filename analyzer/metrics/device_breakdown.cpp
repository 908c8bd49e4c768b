// SPDX-License-Identifier: Apache-2.0
#include "analyzer/metrics/device_breakdown.h"

#include "analyzer/metrics/recorded_time.h"

#include <algorithm>
#include <tuple>

namespace tacho {

namespace {

struct DeviceTimes {
    IntervalSet recorded, busy, compute, communication, memory, h2d, d2h;
};

bool touchesPageableMemory(const GpuOps& ops, std::size_t row) {
    return ops.kind[row] == GpuOpKind::Memcpy &&
           ((ops.copyKind[row] == CopyKind::HostToDevice && ops.srcKind[row] == MemoryKind::Pageable) ||
            (ops.copyKind[row] == CopyKind::DeviceToHost && ops.dstKind[row] == MemoryKind::Pageable));
}

void addTime(DeviceTimes& times, const GpuOps& ops, std::size_t row, Interval part, bool isCommunication) {
    times.busy.append(part);
    if (ops.kind[row] == GpuOpKind::Kernel) {
        (isCommunication ? times.communication : times.compute).append(part);
        return;
    }
    times.memory.append(part);
    if (ops.kind[row] != GpuOpKind::Memcpy)
        return;
    if (ops.copyKind[row] == CopyKind::HostToDevice)
        times.h2d.append(part);
    else if (ops.copyKind[row] == CopyKind::DeviceToHost)
        times.d2h.append(part);
}

void addCounts(DeviceBreakdown& counts, const GpuOps& ops, std::size_t row) {
    ++counts.events;
    counts.pageableCopies += touchesPageableMemory(ops, row);
    if (ops.kind[row] != GpuOpKind::Memcpy)
        return;
    if (ops.copyKind[row] == CopyKind::HostToDevice)
        counts.h2dBytes += ops.sizeBytes[row];
    else if (ops.copyKind[row] == CopyKind::DeviceToHost)
        counts.d2hBytes += ops.sizeBytes[row];
}

void finish(DeviceBreakdown& row, const DeviceTimes& times) {
    row.span = times.recorded.totalLength();
    row.busy = times.busy.totalLength();
    row.idle = row.span - row.busy;
    row.compute = times.compute.totalLength();
    row.communication = times.communication.totalLength();
    row.communicationExposed = times.communication.subtraction(times.compute).totalLength();
    row.memory = times.memory.totalLength();
    row.h2d = times.h2d.totalLength();
    row.d2h = times.d2h.totalLength();
}

} // namespace

DeviceBreakdown breakDownDevice(const Trace& trace, DeviceIndex device, std::span<const std::uint32_t> rows,
                                const std::vector<KernelKind>& kinds, const IntervalSet& recorded,
                                std::optional<Interval> clipTo) {
    const GpuOps& ops = trace.gpuOps;
    DeviceBreakdown result;
    result.device = device;
    result.process = trace.devices[static_cast<std::size_t>(device)].process;
    result.rank = trace.processes[static_cast<std::size_t>(result.process)].rank;
    DeviceTimes times;
    times.busy.reserve(rows.size());
    times.compute.reserve(rows.size());
    times.recorded = clipTo ? recorded.clipped(*clipTo) : recorded;
    for (const std::uint32_t row : rows) {
        const Interval part = clipTo ? clip(ops.interval(row), *clipTo) : ops.interval(row);
        const bool startsInside =
            !clipTo || (ops.start[row] >= clipTo->start && ops.start[row] < clipTo->end);
        if (!startsInside && part.start == part.end)
            continue;
        if (startsInside)
            addCounts(result, ops, row);
        addTime(times, ops, row, part, kinds[static_cast<std::size_t>(ops.name[row])].isCommunication);
    }
    finish(result, times);
    return result;
}

std::vector<DeviceBreakdown> breakDownDevices(const Trace& trace, std::optional<Interval> clipTo) {
    return breakDownDevices(trace, DeviceRows(trace), judgeKernelNames(trace), recordedTime(trace), clipTo);
}

std::vector<DeviceBreakdown> breakDownDevices(const Trace& trace, const DeviceRows& rows,
                                              const std::vector<KernelKind>& kinds,
                                              const std::vector<IntervalSet>& recorded,
                                              std::optional<Interval> clipTo) {
    std::vector<DeviceBreakdown> result;
    for (std::size_t index = 0; index < trace.devices.size(); ++index) {
        const auto device = static_cast<DeviceIndex>(index);
        const DeviceBreakdown row =
            breakDownDevice(trace, device, rows[device], kinds, recorded[index], clipTo);
        if (row.events > 0 || row.span.count() > 0)
            result.push_back(row);
    }
    std::stable_sort(result.begin(), result.end(), [&](const DeviceBreakdown& a, const DeviceBreakdown& b) {
        return std::tuple(a.rank, trace.devices[static_cast<std::size_t>(a.device)].id, a.process) <
               std::tuple(b.rank, trace.devices[static_cast<std::size_t>(b.device)].id, b.process);
    });
    return result;
}

} // namespace tacho
