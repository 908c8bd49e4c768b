// SPDX-License-Identifier: Apache-2.0
#include "analyzer/metrics/idle_causes.h"

#include "analyzer/metrics/quantile.h"

#include <algorithm>

namespace tacho {
namespace {

/// Where no launch came into a gap: that of an A100 or H200 under a profiler.
constexpr DurationNs kUsualLatency{10'000};

/// Idle time, and the row of the work that ends it.
struct Gap {
    Interval interval;
    std::size_t next = 0;
};

// A gap is inside the recorded time as a whole or not at all, as that starts and ends with work.
std::vector<Gap> gapsOf(const Trace& trace, std::span<const std::uint32_t> rows, const IntervalSet& recorded,
                        Interval window) {
    std::vector<Gap> gaps;
    TimeNs busyUntil = window.start;
    for (const std::uint32_t row : rows) {
        if (busyUntil >= window.end)
            break;
        const TimeNs gapEnd = std::min(trace.gpuOps.start[row], window.end);
        if (gapEnd > busyUntil && recorded.contains(busyUntil))
            gaps.push_back({{busyUntil, gapEnd}, row});
        busyUntil = std::max(busyUntil, trace.gpuOps.end[row]);
    }
    return gaps;
}

bool haveOneStream(const GpuOps& ops, std::span<const std::uint32_t> rows) {
    return std::all_of(rows.begin(), rows.end(),
                       [&](std::uint32_t row) { return ops.stream[row] == ops.stream[rows.front()]; });
}

/// From issue to start, of work that found the GPU idle: twice the lower quartile, as a wait for a dependency
/// makes it longer and nothing makes it shorter.
DurationNs usualLatency(const Trace& trace, const std::vector<Gap>& gaps) {
    std::vector<DurationNs> latencies;
    for (const Gap& gap : gaps) {
        const TimeNs issued = trace.issueTime(gap.next);
        if (trace.gpuOps.launch[gap.next] != kNoRow && issued > gap.interval.start &&
            issued < trace.gpuOps.start[gap.next])
            latencies.push_back(trace.gpuOps.start[gap.next] - issued);
    }
    return latencies.empty() ? kUsualLatency : 2 * quantile(std::move(latencies), 0.25);
}

/// What was found about the gaps of one device, before precedence makes the parts disjoint.
class GapExplainer {
  public:
    GapExplainer(const Trace& trace, const std::unordered_map<ThreadIndex, ThreadCalls>& calls,
                 DurationNs latency)
        : m_trace(trace), m_calls(calls), m_latency(latency) {}

    void explain(const Gap& gap) {
        m_gaps.append(gap.interval);
        const std::uint32_t launch = m_trace.gpuOps.launch[gap.next];
        if (launch == kNoRow) {
            add(IdleCause::NoData, gap.interval);
            return;
        }
        const TimeNs issued = m_trace.apiCalls.start[launch];
        if (issued >= gap.interval.end)
            return; // clocks disagree: the work began before it was issued; the host was in time
        const auto calls = m_calls.find(m_trace.apiCalls.thread[launch]);
        if (issued > gap.interval.start && calls != m_calls.end())
            explainWait({gap.interval.start, issued}, calls->second);
        explainIssued({std::max(issued, gap.interval.start), gap.interval.end}, gap.next, launch);
    }

    [[nodiscard]] IdleTime finish(const ProcessTimes& process) {
        found(IdleCause::ModuleLoad) = process.codeLoading;
        found(IdleCause::Profiler) = process.profiling;
        found(IdleCause::HostCommunication) = process.communication;
        found(IdleCause::DataLoading) = process.dataLoading;
        IdleTime idle;
        IntervalSet rest = m_gaps;
        for (std::size_t cause = 0; cause + 1 < kIdleCauses; ++cause) {
            idle.parts[cause] = rest.intersection(m_found[cause]);
            rest = rest.subtraction(idle.parts[cause]);
        }
        idle.parts[kIdleCauses - 1] = std::move(rest);
        return idle;
    }

  private:
    IntervalSet& found(IdleCause cause) { return m_found[static_cast<std::size_t>(cause)]; }
    void add(IdleCause cause, Interval interval) { found(cause).append(interval); }

    static std::span<const Interval> callsMeeting(const IntervalSet& calls, Interval wait) {
        const auto all = calls.intervals();
        const auto first = std::partition_point(all.begin(), all.end(),
                                                [&](const Interval& c) { return c.end <= wait.start; });
        const auto last =
            std::partition_point(first, all.end(), [&](const Interval& c) { return c.start < wait.end; });
        return {first, last};
    }

    void addAll(IdleCause cause, const IntervalSet& calls, Interval wait) {
        for (const Interval& call : callsMeeting(calls, wait))
            add(cause, clip(call, wait));
    }

    /// The next work was issued, but had not started. A copying call first copies pageable memory itself.
    void explainIssued(Interval wait, std::size_t next, std::uint32_t launch) {
        const TimeNs arrived = std::min(wait.start + m_latency, wait.end);
        if (m_trace.gpuOps.kind[next] == GpuOpKind::Memcpy)
            add(IdleCause::BlockingCopy, clip(m_trace.apiCalls.interval(launch), wait));
        add(IdleCause::LaunchLatency, {wait.start, arrived});
        add(IdleCause::DependencyWait, {arrived, wait.end});
    }

    /// The host had not issued the next work yet.
    void explainWait(Interval wait, const ThreadCalls& calls) {
        addAll(IdleCause::BlockingCopy, calls.copies, wait);
        addAll(IdleCause::Allocation, calls.allocations, wait);
        addAll(IdleCause::ApiCall, calls.others, wait);
        const auto syncs = callsMeeting(calls.syncs, wait);
        // The GPU ran dry while the host waited for it: all until the next launch is the price of that wait.
        if (!syncs.empty() && syncs.front().start <= wait.start)
            add(IdleCause::Synchronisation, wait);
        else
            addAll(IdleCause::Synchronisation, calls.syncs, wait);
    }

    const Trace& m_trace;
    const std::unordered_map<ThreadIndex, ThreadCalls>& m_calls;
    DurationNs m_latency;
    IntervalSet m_gaps;
    std::array<IntervalSet, kIdleCauses> m_found;
};

} // namespace

std::string_view nameOf(IdleCause cause) {
    static constexpr std::array<std::string_view, kIdleCauses> kNames = {
        "module_load",     "profiler",        "blocking_copy",      "launch_latency",
        "dependency_wait", "no_data",         "host_communication", "data_loading",
        "allocation",      "synchronisation", "api_call",           "host_launch"};
    return kNames[static_cast<std::size_t>(cause)];
}

DurationNs IdleTime::total() const {
    DurationNs sum{0};
    for (const IntervalSet& part : parts)
        sum += part.totalLength();
    return sum;
}

IdleTime IdleTime::clipped(Interval to) const {
    IdleTime inside;
    for (std::size_t cause = 0; cause < kIdleCauses; ++cause)
        inside.parts[cause] = parts[cause].clipped(to);
    return inside;
}

IdleExplainer::IdleExplainer(const Trace& trace, const DeviceRows& rows,
                             const std::vector<IntervalSet>& recorded)
    : m_trace(trace), m_rows(rows), m_recorded(recorded), m_processes(gatherProcessTimes(trace)),
      m_calls(gatherThreadCalls(trace)) {}

IdleTime IdleExplainer::explain(DeviceIndex device, Interval window) const {
    const auto index = static_cast<std::size_t>(device);
    const std::vector<Gap> gaps = gapsOf(m_trace, m_rows[device], m_recorded[index], window);
    // On its only stream work waits for nothing but the work before it.
    const bool canWait = !haveOneStream(m_trace.gpuOps, m_rows[device]);
    GapExplainer explainer(m_trace, m_calls, canWait ? usualLatency(m_trace, gaps) : window.length());
    for (const Gap& gap : gaps)
        explainer.explain(gap);
    return explainer.finish(m_processes[static_cast<std::size_t>(m_trace.devices[index].process)]);
}

} // namespace tacho
