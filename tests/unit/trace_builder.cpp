// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/trace_builder.h"

#include <algorithm>
#include <cstdlib>
#include <map>

namespace tacho::test {
namespace {

TimeNs timeAt(DurationNs at) {
    return TimeNs{at};
}

} // namespace

TraceBuilder::TraceBuilder() {
    m_trace.processes.emplace_back();
    m_trace.threads.push_back({ProcessIndex{0}, 1, "main"});
    m_trace.devices.emplace_back();
    deviceNamed("NVIDIA H200", 9, 0);
}

TraceBuilder& TraceBuilder::process(int rank, int worldSize) {
    const bool isFirst = m_ops.empty() && !m_trace.processes.front().rank;
    if (!isFirst) {
        m_process = static_cast<ProcessIndex>(m_trace.processes.size());
        m_thread = static_cast<ThreadIndex>(m_trace.threads.size());
        m_device = static_cast<DeviceIndex>(m_trace.devices.size());
        m_trace.processes.emplace_back();
        m_trace.threads.push_back({m_process, 1, "main"});
        m_trace.devices.emplace_back();
        deviceNamed("NVIDIA H200", 9, 0);
    }
    m_trace.processes.back().rank = rank;
    m_trace.processes.back().worldSize = worldSize;
    return *this;
}

TraceBuilder& TraceBuilder::deviceNamed(const std::string& name, int computeMajor, int computeMinor,
                                        const std::string& chip) {
    Device& device = m_trace.devices.back();
    device.process = m_process;
    device.name = name;
    device.computeMajor = computeMajor;
    device.computeMinor = computeMinor;
    device.chip = chip;
    return *this;
}

std::uint32_t TraceBuilder::addCall(ApiKind kind, const std::string& name, DurationNs at, DurationNs length) {
    const auto correlation = static_cast<std::uint32_t>(m_calls.size() + 1);
    m_calls.push_back({timeAt(at), timeAt(at + length), kind, name, m_thread, correlation});
    return correlation;
}

TraceBuilder& TraceBuilder::kernel(const std::string& name, DurationNs at, DurationNs length,
                                   DurationNs lead) {
    orphanKernel(name, at, length);
    m_ops.back().correlation = addCall(ApiKind::Launch, "cudaLaunchKernel", at - lead - 5us, 5us);
    return *this;
}

TraceBuilder& TraceBuilder::slowKernel(const std::string& name, DurationNs at, DurationNs length,
                                       DurationNs call) {
    orphanKernel(name, at, length);
    m_ops.back().correlation = addCall(ApiKind::Launch, "cudaLaunchKernel", at - call, call);
    return *this;
}

TraceBuilder& TraceBuilder::orphanKernel(const std::string& name, DurationNs at, DurationNs length) {
    GpuRow row;
    row.start = timeAt(at);
    row.end = timeAt(at + length);
    row.name = name;
    row.kind = GpuOpKind::Kernel;
    row.device = m_device;
    m_ops.push_back(row);
    return *this;
}

TraceBuilder& TraceBuilder::copy(CopyKind kind, MemoryKind hostSide, std::int64_t bytes, DurationNs at,
                                 DurationNs length) {
    GpuRow row;
    row.start = timeAt(at);
    row.end = timeAt(at + length);
    row.kind = GpuOpKind::Memcpy;
    row.copyKind = kind;
    row.srcKind = kind == CopyKind::HostToDevice ? hostSide : MemoryKind::Device;
    row.dstKind = kind == CopyKind::DeviceToHost ? hostSide : MemoryKind::Device;
    row.bytes = bytes;
    row.device = m_device;
    row.correlation = addCall(ApiKind::Copy, "cudaMemcpyAsync", at, length);
    m_ops.push_back(row);
    return *this;
}

TraceBuilder& TraceBuilder::call(ApiKind kind, const std::string& name, DurationNs at, DurationNs length) {
    addCall(kind, name, at, length);
    return *this;
}

TraceBuilder& TraceBuilder::range(RangeKind kind, const std::string& name, DurationNs at, DurationNs length) {
    m_ranges.push_back({timeAt(at), timeAt(at + length), kind, name, m_thread});
    return *this;
}

TraceBuilder& TraceBuilder::collective(CollectiveKind kind, std::int64_t bytes, DurationNs at,
                                       DurationNs length, const std::string& group,
                                       const std::string& backend) {
    Collective row{m_process, m_thread, {timeAt(at), timeAt(at + length)}, kind, CollectiveSource::Call};
    row.ranks = m_trace.processes[static_cast<std::size_t>(m_process)].worldSize.value_or(0);
    row.bytes = bytes;
    row.group = m_trace.strings.intern(group);
    row.backend = m_trace.strings.intern(backend);
    m_trace.collectives.push_back(row);
    return *this;
}

TraceBuilder& TraceBuilder::thread(const std::string& name) {
    m_thread = static_cast<ThreadIndex>(m_trace.threads.size());
    m_trace.threads.push_back({m_process, static_cast<std::int64_t>(m_trace.threads.size() + 1), name});
    return *this;
}

TraceBuilder& TraceBuilder::overhead(OverheadKind kind, DurationNs at, DurationNs length) {
    m_trace.overheads.start.push_back(timeAt(at));
    m_trace.overheads.end.push_back(timeAt(at + length));
    m_trace.overheads.kind.push_back(kind);
    m_trace.overheads.thread.push_back(m_thread);
    return *this;
}

TraceBuilder& TraceBuilder::jit(JitKind kind, DurationNs at, DurationNs length) {
    m_trace.jitOperations.push_back({m_process, 0, kind, {timeAt(at), timeAt(at + length)}});
    return *this;
}

TraceBuilder& TraceBuilder::kernelCode(const std::string& name, const std::string& tensorTypes) {
    m_trace.kernelCode.push_back(
        {m_process, m_trace.strings.intern(name), m_trace.strings.intern(tensorTypes)});
    return *this;
}

TraceBuilder& TraceBuilder::memoryEvent(std::int64_t bytes, DurationNs at) {
    m_trace.memoryEvents.push_back(
        {m_process, 0, MemoryKind::Device, bytes < 0, std::abs(bytes), timeAt(at)});
    return *this;
}

TraceBuilder& TraceBuilder::memorySample(std::int64_t allocatedBytes, std::int64_t reservedBytes,
                                         std::int64_t peakBytes, DurationNs at) {
    m_trace.memorySamples.push_back({m_process, 0, allocatedBytes, reservedBytes, peakBytes, timeAt(at)});
    return *this;
}

TraceBuilder& TraceBuilder::step(std::int64_t index, DurationNs at, DurationNs length, bool profiled) {
    m_trace.stepSource = StepSource::Annotation;
    m_trace.steps.push_back({m_process, m_thread, index, {timeAt(at), timeAt(at + length)}, profiled});
    return *this;
}

TraceBuilder& TraceBuilder::window(DurationNs at, DurationNs length) {
    m_trace.windows.push_back({m_process, {timeAt(at), timeAt(at + length)}});
    return *this;
}

TraceBuilder& TraceBuilder::block(std::int64_t firstStep, DurationNs at, DurationNs stepLength,
                                  bool profiled) {
    m_trace.calibration.push_back(
        {m_process, profiled, firstStep, firstStep + 4, {timeAt(at), timeAt(at + 5 * stepLength)}});
    return *this;
}

TraceBuilder& TraceBuilder::fact(const std::string& name, const std::string& value) {
    m_trace.processes.back().facts[name] = value;
    return *this;
}

TraceBuilder& TraceBuilder::counter(const std::string& name, DurationNs at, double value) {
    auto& all = m_trace.counters;
    auto series = std::find_if(all.begin(), all.end(), [&](const CounterSeries& known) {
        return known.device == m_device && known.name == name;
    });
    if (series == all.end())
        series = all.insert(all.end(), {m_device, name, {}, {}});
    series->time.push_back(TimeNs{at});
    series->value.push_back(value);
    return *this;
}

TraceBuilder& TraceBuilder::health(Severity severity, const std::string& code, const std::string& message) {
    m_trace.health.push_back({severity, code, 1, message});
    return *this;
}

void TraceBuilder::buildCalls() {
    std::stable_sort(m_calls.begin(), m_calls.end(),
                     [](const CallRow& a, const CallRow& b) { return a.start < b.start; });
    for (const CallRow& row : m_calls) {
        m_trace.apiCalls.start.push_back(row.start);
        m_trace.apiCalls.end.push_back(row.end);
        m_trace.apiCalls.name.push_back(m_trace.strings.intern(row.name));
        m_trace.apiCalls.thread.push_back(row.thread);
        m_trace.apiCalls.correlation.push_back(row.correlation);
        m_trace.apiCalls.kind.push_back(row.kind);
    }
}

void TraceBuilder::buildGpuOps() {
    std::map<std::uint32_t, std::uint32_t> callRows;
    for (std::uint32_t row = 0; row < m_calls.size(); ++row)
        callRows[m_calls[row].correlation] = row;
    std::stable_sort(m_ops.begin(), m_ops.end(), [](const GpuRow& a, const GpuRow& b) {
        return a.start != b.start ? a.start < b.start : a.end < b.end;
    });
    GpuOps& ops = m_trace.gpuOps;
    for (const GpuRow& row : m_ops) {
        ops.start.push_back(row.start);
        ops.end.push_back(row.end);
        ops.name.push_back(m_trace.strings.intern(row.name));
        ops.correlation.push_back(row.correlation);
        ops.stream.push_back(7);
        ops.device.push_back(row.device);
        ops.kind.push_back(row.kind);
        ops.shape.push_back(kNoRow);
        ops.launch.push_back(row.correlation == 0 ? kNoRow : callRows.at(row.correlation));
        ops.sizeBytes.push_back(row.bytes);
        ops.copyKind.push_back(row.copyKind);
        ops.srcKind.push_back(row.srcKind);
        ops.dstKind.push_back(row.dstKind);
        ops.inGraph.push_back(0);
    }
}

void TraceBuilder::buildRanges() {
    std::stable_sort(m_ranges.begin(), m_ranges.end(), [](const RangeRow& a, const RangeRow& b) {
        return a.start != b.start ? a.start < b.start : a.end > b.end;
    });
    for (const RangeRow& row : m_ranges) {
        m_trace.ranges.start.push_back(row.start);
        m_trace.ranges.end.push_back(row.end);
        m_trace.ranges.name.push_back(m_trace.strings.intern(row.name));
        m_trace.ranges.domain.push_back(StringId{0});
        m_trace.ranges.thread.push_back(row.thread);
        m_trace.ranges.kind.push_back(row.kind);
    }
}

Trace TraceBuilder::build() {
    buildCalls();
    buildGpuOps();
    buildRanges();
    return std::move(m_trace);
}

} // namespace tacho::test
