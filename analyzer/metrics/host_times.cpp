// SPDX-License-Identifier: Apache-2.0
#include "analyzer/metrics/host_times.h"

#include "analyzer/metrics/gloo_work.h"
#include "analyzer/model/collective_kind.h"

#include <algorithm>
#include <cctype>
#include <string>
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

bool isHostCommunication(std::string_view name) {
    return name.starts_with("gloo:") || name.starts_with("mpi:") || name.starts_with("MPI_");
}

bool isAllocation(ApiKind kind, std::string_view name) {
    return kind == ApiKind::Allocate || kind == ApiKind::Free ||
           containsAny(name,
                       {"HostRegister", "HostUnregister", "HostAlloc", "HostMalloc", "HostFree", "FreeHost"});
}

using PerProcess = std::vector<std::vector<Interval>>;

std::vector<IntervalSet> united(PerProcess intervals) {
    std::vector<IntervalSet> sets;
    for (std::vector<Interval>& ofProcess : intervals)
        sets.push_back(IntervalSet::unite(std::move(ofProcess)));
    return sets;
}

std::vector<IntervalSet> rangesNamed(const Trace& trace, bool (*isWanted)(std::string_view)) {
    std::unordered_map<StringId, bool> judged;
    PerProcess found(trace.processes.size());
    for (std::size_t row = 0; row < trace.ranges.size(); ++row) {
        const auto thread = static_cast<std::size_t>(trace.ranges.thread[row]);
        if (thread >= trace.threads.size())
            continue;
        const auto [entry, isNew] = judged.try_emplace(trace.ranges.name[row], false);
        if (isNew)
            entry->second = isWanted(trace.text(trace.ranges.name[row]));
        if (entry->second)
            found[static_cast<std::size_t>(trace.threads[thread].process)].push_back(
                trace.ranges.interval(row));
    }
    return united(std::move(found));
}

std::vector<IntervalSet> hostCollectives(const Trace& trace) {
    PerProcess found(trace.processes.size());
    for (const Collective& told : trace.collectives)
        if (isOfHost(trace, told))
            found[static_cast<std::size_t>(told.process)].push_back(told.interval);
    for (const Collective& seen : glooWork(trace))
        found[static_cast<std::size_t>(seen.process)].push_back(seen.interval);
    return united(std::move(found));
}

/// Without a thread it may be of any process.
void addTo(PerProcess& found, const Trace& trace, ThreadIndex thread, Interval interval) {
    const auto index = static_cast<std::size_t>(thread);
    if (index < trace.threads.size())
        found[static_cast<std::size_t>(trace.threads[index].process)].push_back(interval);
    else
        for (std::vector<Interval>& ofProcess : found)
            ofProcess.push_back(interval);
}

std::vector<IntervalSet> overheadsOf(const Trace& trace, std::initializer_list<OverheadKind> kinds) {
    PerProcess found(trace.processes.size());
    for (std::size_t row = 0; row < trace.overheads.size(); ++row)
        if (std::find(kinds.begin(), kinds.end(), trace.overheads.kind[row]) != kinds.end())
            addTo(found, trace, trace.overheads.thread[row],
                  {trace.overheads.start[row], trace.overheads.end[row]});
    return united(std::move(found));
}

std::vector<IntervalSet> moduleCalls(const Trace& trace) {
    PerProcess found(trace.processes.size());
    for (std::size_t row = 0; row < trace.apiCalls.size(); ++row)
        if (trace.apiCalls.kind[row] == ApiKind::Module)
            addTo(found, trace, trace.apiCalls.thread[row], trace.apiCalls.interval(row));
    return united(std::move(found));
}

std::vector<IntervalSet> slowFirstLaunches(const Trace& trace) {
    PerProcess found(trace.processes.size());
    std::vector<std::unordered_set<StringId>> launched(trace.processes.size());
    const GpuOps& ops = trace.gpuOps;
    for (std::size_t row = 0; row < ops.size(); ++row) {
        if (ops.kind[row] != GpuOpKind::Kernel)
            continue;
        const auto process =
            static_cast<std::size_t>(trace.devices[static_cast<std::size_t>(ops.device[row])].process);
        const bool isFirst = launched[process].insert(ops.name[row]).second;
        if (isFirst && ops.launch[row] != kNoRow &&
            trace.apiCalls.interval(ops.launch[row]).length() > kSlowFirstLaunch)
            found[process].push_back(trace.apiCalls.interval(ops.launch[row]));
    }
    return united(std::move(found));
}

} // namespace

std::vector<IntervalSet> dataLoadingRanges(const Trace& trace) {
    return rangesNamed(trace, isDataLoading);
}

std::vector<ProcessTimes> gatherProcessTimes(const Trace& trace) {
    const auto loading = overheadsOf(trace, {OverheadKind::DriverCompiler, OverheadKind::ModuleLoading,
                                             OverheadKind::LazyFunctionLoading});
    const auto calls = moduleCalls(trace);
    const auto slow = slowFirstLaunches(trace);
    auto profiling = overheadsOf(trace, {OverheadKind::BufferFlush, OverheadKind::Instrumentation,
                                         OverheadKind::Resource, OverheadKind::BufferRequest});
    const auto communication = rangesNamed(trace, isHostCommunication);
    const auto collectives = hostCollectives(trace);
    auto input = dataLoadingRanges(trace);
    std::vector<ProcessTimes> times(trace.processes.size());
    for (std::size_t process = 0; process < times.size(); ++process)
        times[process] = {loading[process].unionWith(calls[process]).unionWith(slow[process]),
                          std::move(profiling[process]),
                          communication[process].unionWith(collectives[process]), std::move(input[process])};
    return times;
}

std::unordered_map<ThreadIndex, ThreadCalls> gatherThreadCalls(const Trace& trace) {
    std::unordered_map<ThreadIndex, ThreadCalls> calls;
    std::unordered_map<StringId, bool> isAllocating;
    const ApiCalls& api = trace.apiCalls;
    for (std::size_t row = 0; row < api.size(); ++row) {
        const ApiKind kind = api.kind[row];
        if (kind == ApiKind::Launch || kind == ApiKind::GraphLaunch || kind == ApiKind::Module ||
            kind == ApiKind::Set)
            continue;
        ThreadCalls& thread = calls[api.thread[row]];
        const auto [entry, isNew] = isAllocating.try_emplace(api.name[row], false);
        if (isNew)
            entry->second = isAllocation(kind, trace.text(api.name[row]));
        IntervalSet& set = kind == ApiKind::Copy          ? thread.copies
                           : kind == ApiKind::Synchronize ? thread.syncs
                           : entry->second                ? thread.allocations
                                                          : thread.others;
        set.append(api.interval(row));
    }
    return calls;
}

} // namespace tacho
