// SPDX-License-Identifier: Apache-2.0
#include "analyzer/metrics/collectives.h"

#include "analyzer/metrics/gloo_work.h"
#include "analyzer/metrics/mpi_work.h"
#include "analyzer/model/collective_kind.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

namespace tacho {
namespace {

/// What tells of the collectives of one thread, found by the time of a launch.
class ThreadCollectives {
  public:
    void add(const Collective& told) { // in the order of starts
        m_told.push_back(&told);
        m_latestEnd.push_back(m_latestEnd.empty() ? told.interval.end
                                                  : std::max(m_latestEnd.back(), told.interval.end));
    }
    /// Those of the most reliable source that were being called at the time; a group of NCCL has several.
    [[nodiscard]] std::vector<const Collective*> at(TimeNs time) const {
        std::vector<const Collective*> found;
        auto next = static_cast<std::size_t>(
            std::partition_point(m_told.begin(), m_told.end(),
                                 [&](const Collective* each) { return each->interval.start <= time; }) -
            m_told.begin());
        while (next > 0 && m_latestEnd[next - 1] > time) {
            const Collective* const told = m_told[--next];
            if (told->interval.end <= time || (!found.empty() && told->source > found.front()->source))
                continue;
            if (!found.empty() && told->source < found.front()->source)
                found.clear();
            found.push_back(told);
        }
        return found;
    }

  private:
    std::vector<const Collective*> m_told;
    std::vector<TimeNs> m_latestEnd; ///< of all up to each
};

/// Borrows the trace.
class ToldCollectives {
  public:
    explicit ToldCollectives(const Trace& trace) : m_trace(trace) {
        for (const Collective& told : trace.collectives) {
            if (isOfHost(trace, told))
                continue;
            if (told.correlation != 0)
                m_byCorrelation[{told.process, told.correlation}] = &told;
            else if (told.thread != kNoThread)
                m_byThread[told.thread].add(told);
        }
    }
    [[nodiscard]] std::vector<const Collective*> of(ProcessIndex process, std::size_t gpuOp) const {
        const GpuOps& ops = m_trace.gpuOps;
        const auto known = m_byCorrelation.find({process, ops.correlation[gpuOp]});
        if (known != m_byCorrelation.end())
            return {known->second};
        const std::uint32_t call = ops.launch[gpuOp];
        if (call == kNoRow || m_trace.apiCalls.kind[call] == ApiKind::GraphLaunch)
            return {};
        const auto thread = m_byThread.find(m_trace.apiCalls.thread[call]);
        return thread == m_byThread.end() ? std::vector<const Collective*>{}
                                          : thread->second.at(m_trace.apiCalls.start[call]);
    }

  private:
    const Trace& m_trace;
    std::map<std::pair<ProcessIndex, std::uint32_t>, const Collective*> m_byCorrelation;
    std::unordered_map<ThreadIndex, ThreadCollectives> m_byThread;
};

void describe(CollectiveRun& run, const std::vector<const Collective*>& told, const Trace& trace) {
    if (told.empty())
        return;
    const Collective& first = *told.front();
    run.backend = trace.text(first.backend);
    std::tie(run.kind, run.ranks, run.group, run.bytes) =
        std::tie(first.kind, first.ranks, first.group, first.bytes);
    for (std::size_t i = 1; i < told.size(); ++i) {
        run.kind = told[i]->kind == run.kind ? run.kind : CollectiveKind::Unknown;
        run.bytes = told[i]->bytes < 0 || run.bytes < 0 ? -1 : run.bytes + told[i]->bytes;
    }
}

void addRunsOfDevice(std::vector<CollectiveRun>& runs, const Trace& trace, DeviceIndex device,
                     std::span<const std::uint32_t> rows, const std::vector<KernelKind>& kinds,
                     const ToldCollectives& told) {
    const GpuOps& ops = trace.gpuOps;
    const auto isCommunication = [&](std::uint32_t row) {
        return kinds[static_cast<std::size_t>(ops.name[row])].isCommunication;
    };
    const std::size_t first = runs.size();
    for (const std::uint32_t row : rows) {
        if (ops.kind[row] != GpuOpKind::Kernel || !isCommunication(row))
            continue;
        CollectiveRun run;
        run.process = trace.devices[static_cast<std::size_t>(device)].process;
        run.device = device;
        run.gpuOp = row;
        run.kind = collectiveKindOf(trace.text(ops.name[row]));
        run.interval = ops.interval(row);
        describe(run, told.of(run.process, row), trace);
        runs.push_back(run);
    }
    if (first == runs.size())
        return;
    IntervalSet compute;
    for (const std::uint32_t row : rows)
        if (ops.kind[row] == GpuOpKind::Kernel && !isCommunication(row))
            compute.append(ops.interval(row));
    for (std::size_t i = first; i < runs.size(); ++i)
        runs[i].exposed = runs[i].interval.length() - compute.coveredLength(runs[i].interval);
}

CollectiveRun hostRun(const Collective& told, std::string_view backend, const IntervalSet& kernels) {
    CollectiveRun run;
    run.backend = backend;
    std::tie(run.process, run.kind, run.interval, run.bytes, run.ranks, run.group) =
        std::tie(told.process, told.kind, told.interval, told.bytes, told.ranks, told.group);
    run.exposed = run.interval.length() - kernels.coveredLength(run.interval);
    return run;
}

/// What gloo's threads and ranges of MPI show counts only where nothing tells of it.
void addRunsOfHosts(std::vector<CollectiveRun>& runs, const Trace& trace) {
    const auto ofGloo = glooWork(trace), ofMpi = mpiWork(trace);
    if (ofGloo.empty() && ofMpi.empty() &&
        std::none_of(trace.collectives.begin(), trace.collectives.end(),
                     [&](const Collective& told) { return isOfHost(trace, told); }))
        return;
    std::vector<IntervalSet> kernels(trace.processes.size());
    for (std::size_t row = 0; row < trace.gpuOps.size(); ++row)
        if (trace.gpuOps.kind[row] == GpuOpKind::Kernel)
            kernels[static_cast<std::size_t>(
                        trace.devices[static_cast<std::size_t>(trace.gpuOps.device[row])].process)]
                .append(trace.gpuOps.interval(row));
    std::vector<IntervalSet> told(trace.processes.size());
    for (const Collective& each : trace.collectives)
        if (isOfHost(trace, each)) {
            const auto process = static_cast<std::size_t>(each.process);
            runs.push_back(hostRun(each, trace.text(each.backend), kernels[process]));
            told[process].append(each.interval);
        }
    const auto addSeen = [&](const Collective& seen, std::string_view backend) {
        const auto process = static_cast<std::size_t>(seen.process);
        if (told[process].coveredLength(seen.interval).count() == 0)
            runs.push_back(hostRun(seen, backend, kernels[process]));
    };
    for (const Collective& seen : ofGloo)
        addSeen(seen, "gloo");
    for (const Collective& seen : ofMpi)
        addSeen(seen, "mpi");
}

/// The runs of one process that may be the counterparts of others' runs.
using Series = std::vector<CollectiveRun*>;
using SeriesKey = std::tuple<StringId, CollectiveKind, bool>; ///< group, kind, whether a kernel does it

bool areTheSame(const std::vector<Series>& ofProcesses) {
    const Series& first = ofProcesses.front();
    for (const Series& other : ofProcesses) {
        if (other.size() != first.size())
            return false;
        for (std::size_t i = 0; i < first.size(); ++i)
            if (other[i]->bytes != first[i]->bytes)
                return false;
    }
    return true;
}

void findTransfers(std::vector<CollectiveRun>& runs) {
    std::map<SeriesKey, std::map<ProcessIndex, Series>> all;
    for (CollectiveRun& run : runs)
        if (run.kind !=
            CollectiveKind::SendReceive) // between pairs: the n-th has no counterpart of its number
            all[{run.group, run.kind, run.device.has_value()}][run.process].push_back(&run);
    for (auto& [key, byProcess] : all) {
        std::vector<Series> series;
        for (auto& [process, ofProcess] : byProcess)
            series.push_back(std::move(ofProcess));
        if (series.size() < 2 || !areTheSame(series))
            continue;
        for (std::size_t i = 0; i < series.front().size(); ++i) {
            DurationNs shortest = series.front()[i]->interval.length();
            for (const Series& ofProcess : series)
                shortest = std::min(shortest, ofProcess[i]->interval.length());
            for (const Series& ofProcess : series)
                ofProcess[i]->transfer = shortest;
        }
    }
}

} // namespace

std::vector<CollectiveRun> listCollectives(const Trace& trace, const DeviceRows& rows,
                                           const std::vector<KernelKind>& kinds) {
    std::vector<CollectiveRun> runs;
    const ToldCollectives told(trace);
    for (std::size_t device = 0; device < trace.devices.size(); ++device)
        addRunsOfDevice(runs, trace, static_cast<DeviceIndex>(device), rows[static_cast<DeviceIndex>(device)],
                        kinds, told);
    addRunsOfHosts(runs, trace);
    std::stable_sort(runs.begin(), runs.end(), [](const CollectiveRun& a, const CollectiveRun& b) {
        return std::tie(a.process, a.interval.start) < std::tie(b.process, b.interval.start);
    });
    findTransfers(runs);
    return runs;
}

IntervalSet waitForRanks(const std::vector<CollectiveRun>& runs, DeviceIndex device) {
    std::vector<Interval> waiting, moving;
    for (const CollectiveRun& run : runs) {
        if (run.device != device)
            continue;
        const TimeNs arrived = run.interval.start + run.wait();
        waiting.push_back({run.interval.start, arrived});
        moving.push_back({arrived, run.interval.end});
    }
    return IntervalSet::unite(std::move(waiting)).subtraction(IntervalSet::unite(std::move(moving)));
}

std::optional<double> CollectiveSummary::algorithmBandwidth() const {
    const DurationNs time = transfer ? *transfer : shortest;
    if (like.bytes < kLeastLinkBytes || time.count() <= 0)
        return std::nullopt;
    const std::int64_t bytes = transfer ? like.bytes * count : like.bytes;
    return static_cast<double>(bytes) / static_cast<double>(time.count()) * 1e9;
}

std::optional<double> CollectiveSummary::busBandwidth() const {
    const auto algorithm = algorithmBandwidth();
    if (!algorithm || like.ranks < 1 || like.kind == CollectiveKind::Unknown)
        return std::nullopt;
    return *algorithm * busFactor(like.kind, like.ranks);
}

std::vector<CollectiveSummary> summariseCollectives(const std::vector<CollectiveRun>& runs) {
    using Key = std::tuple<ProcessIndex, std::optional<DeviceIndex>, CollectiveKind, StringId, std::int64_t>;
    std::map<Key, CollectiveSummary> byKey;
    for (const CollectiveRun& run : runs) {
        CollectiveSummary& summary = byKey[{run.process, run.device, run.kind, run.group, run.bytes}];
        const DurationNs length = run.interval.length();
        if (summary.count++ == 0) {
            summary.like = run;
            summary.shortest = length;
            summary.wait = summary.transfer = DurationNs{0};
        }
        summary.time += length;
        summary.exposed += run.exposed;
        summary.shortest = std::min(summary.shortest, length);
        if (run.transfer && summary.transfer) {
            *summary.transfer += *run.transfer;
            *summary.wait += run.wait();
        } else {
            summary.transfer = summary.wait = std::nullopt;
        }
    }
    std::vector<CollectiveSummary> summaries;
    for (auto& [key, summary] : byKey)
        summaries.push_back(summary);
    std::stable_sort(summaries.begin(), summaries.end(),
                     [](const CollectiveSummary& a, const CollectiveSummary& b) { return a.time > b.time; });
    return summaries;
}

} // namespace tacho
