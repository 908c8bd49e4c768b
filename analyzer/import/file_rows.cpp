// SPDX-License-Identifier: Apache-2.0
#include "analyzer/import/file_rows.h"

namespace tacho {

namespace {

template <typename Table>
void shiftTable(Table& table, std::size_t from, DurationNs by) {
    for (std::size_t row = from; row < table.size(); ++row) {
        table.start[row] += by;
        table.end[row] += by;
    }
}

template <typename Event>
void shiftTimes(std::vector<Event>& events, std::size_t from, DurationNs by) {
    for (std::size_t row = from; row < events.size(); ++row)
        events[row].time += by;
}

void shiftInterval(Interval& interval, DurationNs by) {
    interval.start += by;
    interval.end += by;
}

void shiftWindow(Interval& window, DurationNs by) {
    window.start += by;
    if (window.end != TimeNs::max()) // open to the end
        window.end += by;
}

template <typename... Columns>
void cut(std::size_t size, Columns&... columns) {
    (columns.resize(size), ...);
}

} // namespace

FileRows::FileRows(const Trace& trace)
    : m_processes(trace.processes.size()), m_threads(trace.threads.size()), m_devices(trace.devices.size()),
      m_launchShapes(trace.launchShapes.size()), m_gpuOps(trace.gpuOps.size()),
      m_apiCalls(trace.apiCalls.size()), m_ranges(trace.ranges.size()), m_syncs(trace.syncs.size()),
      m_overheads(trace.overheads.size()), m_steps(trace.steps.size()), m_windows(trace.windows.size()),
      m_calibration(trace.calibration.size()), m_health(trace.health.size()),
      m_jitOperations(trace.jitOperations.size()), m_modules(trace.modules.size()),
      m_memoryEvents(trace.memoryEvents.size()), m_memorySamples(trace.memorySamples.size()),
      m_counters(trace.counters.size()) {}

void FileRows::shift(Trace& trace, DurationNs by) const {
    shiftTable(trace.gpuOps, m_gpuOps, by);
    shiftTable(trace.apiCalls, m_apiCalls, by);
    shiftTable(trace.ranges, m_ranges, by);
    shiftTable(trace.syncs, m_syncs, by);
    shiftTable(trace.overheads, m_overheads, by);
    shiftTimes(trace.modules, m_modules, by);
    shiftTimes(trace.memoryEvents, m_memoryEvents, by);
    shiftTimes(trace.memorySamples, m_memorySamples, by);
    for (std::size_t row = m_jitOperations; row < trace.jitOperations.size(); ++row)
        shiftInterval(trace.jitOperations[row].interval, by);
    for (std::size_t row = m_steps; row < trace.steps.size(); ++row)
        shiftInterval(trace.steps[row].interval, by);
    for (std::size_t row = m_windows; row < trace.windows.size(); ++row)
        shiftWindow(trace.windows[row].interval, by);
    for (std::size_t row = m_calibration; row < trace.calibration.size(); ++row)
        shiftInterval(trace.calibration[row].interval, by);
    for (std::size_t row = m_counters; row < trace.counters.size(); ++row)
        for (TimeNs& time : trace.counters[row].time)
            time += by;
}

void FileRows::discard(Trace& trace) const {
    cut(m_processes, trace.processes);
    cut(m_threads, trace.threads);
    cut(m_devices, trace.devices);
    cut(m_launchShapes, trace.launchShapes);
    GpuOps& ops = trace.gpuOps;
    cut(m_gpuOps, ops.start, ops.end, ops.name, ops.correlation, ops.stream, ops.device, ops.kind, ops.shape,
        ops.launch, ops.sizeBytes, ops.copyKind, ops.srcKind, ops.dstKind, ops.inGraph);
    ApiCalls& calls = trace.apiCalls;
    cut(m_apiCalls, calls.start, calls.end, calls.name, calls.thread, calls.correlation, calls.kind);
    Ranges& ranges = trace.ranges;
    cut(m_ranges, ranges.start, ranges.end, ranges.name, ranges.domain, ranges.thread, ranges.kind);
    Syncs& syncs = trace.syncs;
    cut(m_syncs, syncs.start, syncs.end, syncs.kind, syncs.process, syncs.stream, syncs.correlation);
    Overheads& overheads = trace.overheads;
    cut(m_overheads, overheads.start, overheads.end, overheads.kind, overheads.thread);
    cut(m_steps, trace.steps);
    cut(m_windows, trace.windows);
    cut(m_calibration, trace.calibration);
    cut(m_health, trace.health);
    cut(m_jitOperations, trace.jitOperations);
    cut(m_modules, trace.modules);
    cut(m_memoryEvents, trace.memoryEvents);
    cut(m_memorySamples, trace.memorySamples);
    cut(m_counters, trace.counters);
}

} // namespace tacho
