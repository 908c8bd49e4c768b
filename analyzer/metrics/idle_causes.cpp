// SPDX-License-Identifier: Apache-2.0
#include "analyzer/metrics/idle_causes.h"

#include "analyzer/metrics/recorded_time.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace tacho {
namespace {

/// A launch takes 2 to 20 us; one that loads its module first takes from 0.2 ms (H200, A100 captures).
constexpr DurationNs kSlowFirstLaunch{200'000};

bool containsAny(std::string_view name, std::initializer_list<std::string_view> words) {
    return std::any_of(words.begin(), words.end(),
                       [&](std::string_view word) { return name.find(word) != std::string_view::npos; });
}

bool isDataLoading(std::string_view name) {
    std::string lower(name);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return containsAny(lower,
                       {"dataloader", "data_load", "data load", "next_batch", "get_batch", "load_batch"}) &&
           !containsAny(lower, {"copy", "to_gpu"});
}

template <typename Wanted>
IntervalSet rangesNamed(const Trace& trace, ProcessIndex process, Wanted isWanted) {
    std::unordered_map<StringId, bool> judged;
    std::vector<Interval> found;
    for (std::size_t row = 0; row < trace.ranges.size(); ++row) {
        const auto thread = static_cast<std::size_t>(trace.ranges.thread[row]);
        if (thread >= trace.threads.size() || trace.threads[thread].process != process)
            continue;
        const auto [entry, isNew] = judged.try_emplace(trace.ranges.name[row], false);
        if (isNew)
            entry->second = isWanted(trace.text(trace.ranges.name[row]));
        if (entry->second)
            found.push_back(trace.ranges.interval(row));
    }
    return IntervalSet::unite(std::move(found));
}

/// Calls of one host thread that keep it from launching, each kind sorted by start.
struct ThreadCalls {
    IntervalSet copies, allocations, syncs;
};

bool isAllocation(std::string_view name) {
    return containsAny(name,
                       {"HostRegister", "HostUnregister", "HostAlloc", "HostMalloc", "HostFree", "FreeHost"});
}

std::unordered_map<ThreadIndex, ThreadCalls> callsByThread(const Trace& trace) {
    std::unordered_map<ThreadIndex, ThreadCalls> calls;
    const ApiCalls& api = trace.apiCalls;
    for (std::size_t row = 0; row < api.size(); ++row) {
        ThreadCalls& thread = calls[api.thread[row]];
        const Interval call = api.interval(row);
        if (api.kind[row] == ApiKind::Copy)
            thread.copies.append(call);
        else if (api.kind[row] == ApiKind::Synchronize)
            thread.syncs.append(call);
        else if (api.kind[row] == ApiKind::Allocate || api.kind[row] == ApiKind::Free ||
                 isAllocation(trace.text(api.name[row])))
            thread.allocations.append(call);
    }
    return calls;
}

/// Without a thread it may be of any process.
bool mayBeOf(const Trace& trace, ThreadIndex thread, ProcessIndex process) {
    const auto index = static_cast<std::size_t>(thread);
    return index >= trace.threads.size() || trace.threads[index].process == process;
}

IntervalSet moduleLoads(const Trace& trace, ProcessIndex process) {
    std::vector<Interval> loads;
    for (std::size_t row = 0; row < trace.overheads.size(); ++row) {
        const OverheadKind kind = trace.overheads.kind[row];
        const bool isLoading = kind == OverheadKind::DriverCompiler || kind == OverheadKind::ModuleLoading ||
                               kind == OverheadKind::LazyFunctionLoading;
        if (isLoading && mayBeOf(trace, trace.overheads.thread[row], process))
            loads.push_back({trace.overheads.start[row], trace.overheads.end[row]});
    }
    const ApiCalls& api = trace.apiCalls;
    for (std::size_t row = 0; row < api.size(); ++row)
        if (api.kind[row] == ApiKind::Module && mayBeOf(trace, api.thread[row], process))
            loads.push_back(api.interval(row));
    std::unordered_set<StringId> launched;
    const GpuOps& ops = trace.gpuOps;
    for (std::size_t row = 0; row < ops.size(); ++row) {
        if (ops.kind[row] != GpuOpKind::Kernel ||
            trace.devices[static_cast<std::size_t>(ops.device[row])].process != process)
            continue;
        const bool isFirst = launched.insert(ops.name[row]).second;
        if (isFirst && ops.launch[row] != kNoRow && api.interval(ops.launch[row]).length() > kSlowFirstLaunch)
            loads.push_back(api.interval(ops.launch[row]));
    }
    return IntervalSet::unite(std::move(loads));
}

/// What was found about the gaps of one device, before precedence makes the parts disjoint.
class GapExplainer {
  public:
    GapExplainer(const Trace& trace, DeviceIndex device)
        : m_trace(trace), m_process(trace.devices[static_cast<std::size_t>(device)].process),
          m_calls(callsByThread(trace)) {}

    /// `next` is the row of the work that ends the gap.
    void explain(Interval gap, std::size_t next) {
        m_gaps.append(gap);
        const std::uint32_t launch = m_trace.gpuOps.launch[next];
        if (launch == kNoRow) {
            add(IdleCause::NoData, gap);
            return;
        }
        const TimeNs issued = m_trace.apiCalls.start[launch];
        if (issued < gap.end)
            add(IdleCause::LaunchLatency, {std::max(issued, gap.start), gap.end});
        else
            return; // clocks disagree: the work began before it was issued; the host was in time
        if (issued > gap.start)
            explainWait({gap.start, issued}, m_calls[m_trace.apiCalls.thread[launch]]);
    }

    [[nodiscard]] IdleTime finish() {
        found(IdleCause::ModuleLoad) = moduleLoads(m_trace, m_process);
        found(IdleCause::HostCommunication) = hostCommunicationRanges(m_trace, m_process);
        found(IdleCause::DataLoading) = dataLoadingRanges(m_trace, m_process);
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

    void addAll(IdleCause cause, const IntervalSet& calls, Interval wait) {
        for (const Interval& call : callsMeeting(calls, wait))
            add(cause, clip(call, wait));
    }

    static std::span<const Interval> callsMeeting(const IntervalSet& calls, Interval wait) {
        const auto all = calls.intervals();
        const auto first = std::partition_point(all.begin(), all.end(),
                                                [&](const Interval& c) { return c.end <= wait.start; });
        const auto last =
            std::partition_point(first, all.end(), [&](const Interval& c) { return c.start < wait.end; });
        return {first, last};
    }

    /// The host had not issued the next work yet.
    void explainWait(Interval wait, const ThreadCalls& calls) {
        addAll(IdleCause::BlockingCopy, calls.copies, wait);
        addAll(IdleCause::Allocation, calls.allocations, wait);
        const auto syncs = callsMeeting(calls.syncs, wait);
        // The GPU ran dry while the host waited for it: all until the next launch is the price of that wait.
        if (!syncs.empty() && syncs.front().start <= wait.start)
            add(IdleCause::Synchronisation, wait);
        else
            addAll(IdleCause::Synchronisation, calls.syncs, wait);
    }

    const Trace& m_trace;
    ProcessIndex m_process;
    std::unordered_map<ThreadIndex, ThreadCalls> m_calls;
    IntervalSet m_gaps;
    std::array<IntervalSet, kIdleCauses> m_found;
};

} // namespace

std::string_view nameOf(IdleCause cause) {
    static constexpr std::array<std::string_view, kIdleCauses> kNames = {
        "module_load",   "launch_latency", "no_data",         "host_communication", "data_loading",
        "blocking_copy", "allocation",     "synchronisation", "host_launch"};
    return kNames[static_cast<std::size_t>(cause)];
}

DurationNs IdleTime::total() const {
    DurationNs sum{0};
    for (const IntervalSet& part : parts)
        sum += part.totalLength();
    return sum;
}

// A gap is inside the recorded time as a whole or not at all, as that starts and ends with work.
IdleTime explainIdleTime(const Trace& trace, DeviceIndex device, Interval window) {
    const IntervalSet recorded = recordedTime(trace)[static_cast<std::size_t>(device)];
    GapExplainer explainer(trace, device);
    TimeNs busyUntil = window.start;
    const GpuOps& ops = trace.gpuOps;
    for (std::size_t row = 0; row < ops.size() && busyUntil < window.end; ++row) {
        if (ops.device[row] != device)
            continue;
        const TimeNs gapEnd = std::min(ops.start[row], window.end);
        if (gapEnd > busyUntil && recorded.contains(busyUntil))
            explainer.explain({busyUntil, gapEnd}, row);
        busyUntil = std::max(busyUntil, ops.end[row]);
    }
    return explainer.finish();
}

IntervalSet dataLoadingRanges(const Trace& trace, ProcessIndex process) {
    return rangesNamed(trace, process, isDataLoading);
}

IntervalSet hostCommunicationRanges(const Trace& trace, ProcessIndex process) {
    return rangesNamed(trace, process, [](std::string_view name) {
        return name.starts_with("gloo:") || name.starts_with("mpi:") || name.starts_with("MPI_");
    });
}

} // namespace tacho
