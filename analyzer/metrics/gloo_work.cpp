// SPDX-License-Identifier: Apache-2.0
#include "analyzer/metrics/gloo_work.h"

#include <algorithm>
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
    return work;
}

} // namespace tacho
