// SPDX-License-Identifier: Apache-2.0
#include "analyzer/import/file_rows.h"

#include "analyzer/model/trace_fields.h"

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

template <typename Table>
void cutTable(std::size_t size, Table& table) {
    forFields(table, [&](auto&... columns) { (columns.resize(size), ...); });
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
      m_collectives(trace.collectives.size()), m_kernelCode(trace.kernelCode.size()),
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
    for (std::size_t row = m_collectives; row < trace.collectives.size(); ++row)
        shiftInterval(trace.collectives[row].interval, by);
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
    trace.processes.resize(m_processes);
    trace.threads.resize(m_threads);
    trace.devices.resize(m_devices);
    trace.launchShapes.resize(m_launchShapes);
    cutTable(m_gpuOps, trace.gpuOps);
    cutTable(m_apiCalls, trace.apiCalls);
    cutTable(m_ranges, trace.ranges);
    cutTable(m_syncs, trace.syncs);
    cutTable(m_overheads, trace.overheads);
    trace.steps.resize(m_steps);
    trace.windows.resize(m_windows);
    trace.calibration.resize(m_calibration);
    trace.health.resize(m_health);
    trace.jitOperations.resize(m_jitOperations);
    trace.modules.resize(m_modules);
    trace.memoryEvents.resize(m_memoryEvents);
    trace.memorySamples.resize(m_memorySamples);
    trace.collectives.resize(m_collectives);
    trace.kernelCode.resize(m_kernelCode);
    trace.counters.resize(m_counters);
}

} // namespace tacho
