// SPDX-License-Identifier: Apache-2.0
#include "analyzer/metrics/device_breakdown.h"

#include "analyzer/metrics/communication_kernel.h"
#include "analyzer/metrics/recorded_time.h"

#include <algorithm>
#include <tuple>

namespace tacho {

namespace {

/// Remembers the answer per name: a trace has millions of kernels and a few hundred names.
class CommunicationNames {
  public:
    explicit CommunicationNames(const StringTable& strings)
        : m_strings(&strings), m_answers(strings.size(), Answer::Unasked) {}

    bool contains(StringId name) {
        Answer& answer = m_answers[static_cast<std::size_t>(name)];
        if (answer == Answer::Unasked)
            answer = isCommunicationKernel(m_strings->text(name)) ? Answer::Yes : Answer::No;
        return answer == Answer::Yes;
    }

  private:
    enum class Answer : std::uint8_t { Unasked, Yes, No };
    const StringTable* m_strings;
    std::vector<Answer> m_answers;
};

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

std::vector<DeviceBreakdown> breakDownDevices(const Trace& trace, std::optional<Interval> clipTo) {
    const GpuOps& ops = trace.gpuOps;
    CommunicationNames communicationNames(trace.strings);
    std::vector<DeviceBreakdown> rows(trace.devices.size());
    std::vector<DeviceTimes> times(trace.devices.size());
    std::vector<IntervalSet> recorded = recordedTime(trace);
    for (std::size_t index = 0; index < times.size(); ++index)
        times[index].recorded = clipTo ? recorded[index].clipped(*clipTo) : std::move(recorded[index]);
    for (std::size_t row = 0; row < ops.size(); ++row) {
        const auto device = static_cast<std::size_t>(ops.device[row]);
        const Interval part = clipTo ? clip(ops.interval(row), *clipTo) : ops.interval(row);
        const bool startsInside =
            !clipTo || (ops.start[row] >= clipTo->start && ops.start[row] < clipTo->end);
        if (!startsInside && part.start == part.end)
            continue;
        if (startsInside)
            addCounts(rows[device], ops, row);
        addTime(times[device], ops, row, part,
                ops.kind[row] == GpuOpKind::Kernel && communicationNames.contains(ops.name[row]));
    }
    std::vector<DeviceBreakdown> result;
    for (std::size_t index = 0; index < rows.size(); ++index) {
        DeviceBreakdown& row = rows[index];
        if (row.events == 0 && times[index].recorded.empty())
            continue;
        row.device = static_cast<DeviceIndex>(index);
        row.process = trace.devices[index].process;
        row.rank = trace.processes[static_cast<std::size_t>(row.process)].rank;
        finish(row, times[index]);
        result.push_back(row);
    }
    std::stable_sort(result.begin(), result.end(), [&](const DeviceBreakdown& a, const DeviceBreakdown& b) {
        return std::tuple(a.rank, trace.devices[static_cast<std::size_t>(a.device)].id, a.process) <
               std::tuple(b.rank, trace.devices[static_cast<std::size_t>(b.device)].id, b.process);
    });
    return result;
}

} // namespace tacho
