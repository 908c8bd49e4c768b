// SPDX-License-Identifier: Apache-2.0
#include "analyzer/metrics/gloo_work.h"

#include "analyzer/metrics/intervals.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <tuple>
#include <unordered_map>

namespace tacho {
namespace {

std::unordered_map<ThreadIndex, std::optional<TimeNs>> glooThreads(const Trace& trace) {
    std::unordered_map<ThreadIndex, std::optional<TimeNs>> threads;
    for (std::size_t index = 0; index < trace.threads.size(); ++index)
        if (trace.threads[index].name == "pt_gloo_runloop")
            threads.emplace(static_cast<ThreadIndex>(index), std::nullopt);
    return threads;
}

/// Bytes to the device by the call that issued them.
std::unordered_map<std::uint32_t, std::int64_t> uploads(const Trace& trace) {
    std::unordered_map<std::uint32_t, std::int64_t> bytes;
    const GpuOps& ops = trace.gpuOps;
    for (std::size_t row = 0; row < ops.size(); ++row)
        if (ops.kind[row] == GpuOpKind::Memcpy && ops.copyKind[row] == CopyKind::HostToDevice &&
            ops.launch[row] != kNoRow)
            bytes[ops.launch[row]] += ops.sizeBytes[row];
    return bytes;
}

/// Ranks of DistributedDataParallel over gloo that exchanges gradients in its own way; 0: it is not known to
/// be so.
int ranksOfDdp(const Process& process) {
    const auto fact = [&](const char* name) {
        const auto found = process.facts.find(name);
        return found == process.facts.end() ? std::string() : found->second;
    };
    if (fact("ddp.seen") != "1" || fact("ddp.comm_hook") != "0" ||
        fact("distributed.backend").find("gloo") == std::string::npos)
        return 0;
    return static_cast<int>(std::strtol(fact("ddp.ranks").c_str(), nullptr, 10));
}

std::vector<IntervalSet> backwardPhases(const Trace& trace) {
    std::vector<std::vector<Interval>> found(trace.processes.size());
    for (std::size_t row = 0; row < trace.ranges.size(); ++row)
        if (trace.ranges.kind[row] == RangeKind::Phase && trace.text(trace.ranges.name[row]) == "backward")
            found[static_cast<std::size_t>(
                      trace.threads[static_cast<std::size_t>(trace.ranges.thread[row])].process)]
                .push_back(trace.ranges.interval(row));
    std::vector<IntervalSet> phases;
    for (auto& ofProcess : found)
        phases.push_back(IntervalSet::unite(std::move(ofProcess)));
    return phases;
}

/// Gradients are exchanged as long as backward lasts, which waits for them.
void describeGradients(std::vector<Collective>& work, const Trace& trace) {
    const std::vector<IntervalSet> backward = backwardPhases(trace);
    for (Collective& exchange : work) {
        const auto process = static_cast<std::size_t>(exchange.process);
        const int ranks = ranksOfDdp(trace.processes[process]);
        if (ranks > 0 && backward[process].coveredLength(exchange.interval) == exchange.interval.length()) {
            exchange.kind = CollectiveKind::AllReduce;
            exchange.ranks = ranks;
        }
    }
}

} // namespace

std::vector<Collective> glooWork(const Trace& trace) {
    std::vector<Collective> work;
    auto waitEnd = glooThreads(trace); // when the thread had the tensor on the host
    if (waitEnd.empty())
        return work;
    const auto bytes = uploads(trace);
    const ApiCalls& calls = trace.apiCalls;
    for (std::uint32_t call = 0; call < calls.size(); ++call) {
        const auto thread = waitEnd.find(calls.thread[call]);
        if (thread == waitEnd.end())
            continue;
        if (calls.kind[call] == ApiKind::Synchronize)
            thread->second = calls.end[call];
        const auto upload = bytes.find(call);
        if (upload == bytes.end() || !thread->second)
            continue;
        Collective exchange;
        exchange.process = trace.threads[static_cast<std::size_t>(thread->first)].process;
        exchange.thread = thread->first;
        exchange.interval = {*thread->second, calls.start[call]};
        exchange.bytes = upload->second;
        work.push_back(exchange);
        thread->second.reset(); // further tensors of the same exchange are copied together
    }
    std::stable_sort(work.begin(), work.end(), [](const Collective& a, const Collective& b) {
        return std::tie(a.process, a.interval.start) < std::tie(b.process, b.interval.start);
    });
    describeGradients(work, trace);
    return work;
}

} // namespace tacho
