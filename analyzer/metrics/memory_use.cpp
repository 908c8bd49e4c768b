// SPDX-License-Identifier: Apache-2.0
#include "analyzer/metrics/memory_use.h"

#include "analyzer/metrics/intervals.h"

#include <algorithm>
#include <charconv>

namespace tacho {
namespace {

/// What the hook says once, at the end of the window and of the process; 0: nothing.
std::int64_t factOf(const Process& process, std::int32_t device, const char* name) {
    const auto number = [&](const char* fact) {
        std::int64_t value = 0;
        if (const auto found = process.facts.find(fact); found != process.facts.end())
            std::from_chars(found->second.data(), found->second.data() + found->second.size(), value);
        return value;
    };
    return number("memory.device") == device ? number(name) : 0;
}

std::int64_t peakByCuda(const Trace& trace, ProcessIndex process, std::int32_t device) {
    std::int64_t now = 0, peak = 0;
    for (const MemoryEvent& event : trace.memoryEvents) {
        const bool isOnDevice = event.kind == MemoryKind::Device || event.kind == MemoryKind::Managed;
        if (event.process != process || event.device != device || !isOnDevice)
            continue;
        now = std::max<std::int64_t>(now + (event.isRelease ? -event.bytes : event.bytes), 0);
        peak = std::max(peak, now);
    }
    return peak;
}

void measureCalls(const Trace& trace, ProcessIndex process, Interval window, MemoryUse& use) {
    const ApiCalls& calls = trace.apiCalls;
    IntervalSet time;
    for (std::size_t row = 0; row < calls.size(); ++row) {
        const bool isIt = calls.kind[row] == ApiKind::Allocate || calls.kind[row] == ApiKind::Free;
        if (!isIt || trace.threads[static_cast<std::size_t>(calls.thread[row])].process != process ||
            calls.start[row] < window.start || calls.start[row] >= window.end ||
            trace.text(calls.name[row]).ends_with("Async"))
            continue;
        ++use.calls;
        time.append(clip(calls.interval(row), window));
    }
    use.callTime = time.totalLength();
}

} // namespace

MemoryUse measureMemory(const Trace& trace, DeviceIndex device, Interval window) {
    const Device& gpu = trace.devices[static_cast<std::size_t>(device)];
    const Process& process = trace.processes[static_cast<std::size_t>(gpu.process)];
    MemoryUse use;
    use.totalBytes = std::max(gpu.memoryBytes, factOf(process, gpu.id, "memory.total_bytes"));
    use.peakAllocatedBytes = factOf(process, gpu.id, "memory.peak_allocated_bytes");
    use.peakReservedBytes = factOf(process, gpu.id, "memory.peak_reserved_bytes");
    for (const MemorySample& sample : trace.memorySamples) {
        if (sample.process != gpu.process || sample.device != gpu.id)
            continue;
        use.peakAllocatedBytes = std::max(use.peakAllocatedBytes, sample.peakAllocatedBytes);
        use.peakReservedBytes = std::max(use.peakReservedBytes, sample.reservedBytes);
    }
    use.peakCudaBytes = peakByCuda(trace, gpu.process, gpu.id);
    measureCalls(trace, gpu.process, window, use);
    return use;
}

} // namespace tacho
