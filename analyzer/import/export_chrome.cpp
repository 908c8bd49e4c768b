// SPDX-License-Identifier: Apache-2.0
#include "analyzer/import/export_chrome.h"

#include "analyzer/import/kineto_event.h"
#include "analyzer/import/output_file.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <set>

namespace tacho {

namespace {

using Json = nlohmann::ordered_json;

/// Above any process id of Linux: viewers need ids for GPUs, and for processes that share an id.
constexpr std::int64_t kFirstFreePid = 1 << 22;
constexpr std::int64_t kSyncTid = -2, kUnknownTid = -1;
constexpr std::int32_t kWarpThreads = 32;
constexpr std::int64_t kFirstGpuSortIndex = 5'000'000; // GPUs below processes, as Kineto has it
/// Kineto's reader takes later bases for broken ones.
constexpr std::int64_t kMaxBaseNs = 4'000'000'000'000'000'000;

std::string jsonText(std::string_view text) {
    return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string microseconds(DurationNs time) {
    const std::int64_t ns = time.count();
    return fmt::format("{}{}.{:03}", ns < 0 ? "-" : "", std::abs(ns / 1000), std::abs(ns % 1000));
}

TimeNs earliest(const Trace& trace) {
    TimeNs first = TimeNs::max();
    for (const auto* starts : {&trace.gpuOps.start, &trace.apiCalls.start, &trace.ranges.start,
                               &trace.syncs.start, &trace.overheads.start})
        if (!starts->empty())
            first = std::min(first, starts->front());
    for (const StepMark& step : trace.steps)
        first = std::min(first, step.interval.start);
    for (const CounterSeries& series : trace.counters)
        if (!series.time.empty())
            first = std::min(first, series.time.front());
    return first;
}

std::string_view syncName(SyncKind kind) {
    static constexpr std::array<std::string_view, 5> kNames = {"Unknown", "Event Sync", "Stream Wait Event",
                                                               "Stream Sync", "Context Sync"};
    const auto index = static_cast<std::size_t>(kind);
    return index < kNames.size() ? kNames[index] : kNames[0];
}

std::string_view overheadName(OverheadKind kind) {
    static constexpr std::array<std::string_view, 10> kNames = {"Unknown",
                                                                "Unknown",
                                                                "Driver Compiler",
                                                                "Buffer Flush",
                                                                "Instrumentation",
                                                                "Resource",
                                                                "Runtime Triggered Module Loading",
                                                                "Lazy Function Loading",
                                                                "Command Buffer Full",
                                                                "Activity Buffer Request"};
    const auto index = static_cast<std::size_t>(kind);
    return index < kNames.size() ? kNames[index] : kNames[0];
}

class ChromeWriter {
  public:
    ChromeWriter(const Trace& trace, OutputFile& file)
        : m_trace(trace), m_file(file), m_texts(trace.strings.size()) {
        const std::int64_t first = toNs(earliest(trace));
        if (first > 0 && first < kMaxBaseNs)
            m_base = timeFromNs(first);
        std::set<std::int64_t> used;
        for (const Process& process : trace.processes)
            m_pids.push_back(used.insert(process.pid).second ? process.pid : freePid());
        for (std::size_t device = 0; device < trace.devices.size(); ++device)
            m_gpuPids.push_back(freePid());
    }

    void write() {
        m_file.write(fmt::format("{{\"schemaVersion\": 1,\n\"baseTimeNanoseconds\": {},\n"
                                 "\"displayTimeUnit\": \"ms\",\n\"deviceProperties\": {},\n",
                                 toNs(m_base), text(deviceProperties())));
        if (m_trace.processes.size() == 1 && m_trace.processes[0].rank)
            m_file.write(fmt::format("\"distributedInfo\": {},\n", text(distributedInfo())));
        m_file.write("\"traceEvents\": [");
        writeNames();
        writeApiCalls();
        writeRanges();
        writeSteps();
        writeGpuOps();
        writeSyncsAndOverheads();
        writeCounters();
        m_file.write("\n]}\n");
    }

  private:
    std::int64_t freePid() { return m_nextPid++; }

    static std::string text(const Json& json) {
        return json.dump(-1, ' ', false, Json::error_handler_t::replace);
    }

    /// A text of the trace as JSON; made once, kernels of one name are many.
    const std::string& text(StringId id) {
        std::string& known = m_texts[static_cast<std::size_t>(id)];
        if (known.empty())
            known = jsonText(m_trace.text(id));
        return known;
    }

    [[nodiscard]] std::int64_t pid(ProcessIndex process) const {
        return m_pids[static_cast<std::size_t>(process)];
    }
    [[nodiscard]] const Thread& thread(ThreadIndex thread) const {
        return m_trace.threads[static_cast<std::size_t>(thread)];
    }

    void event(std::string_view json) {
        m_file.write(m_isFirst ? "\n" : ",\n");
        m_file.write(json);
        m_isFirst = false;
    }

    /// `name` is JSON already; `args` are the members of an object.
    void span(std::string_view category, std::string_view name, std::int64_t pid, std::int64_t tid,
              Interval interval, std::string_view args) {
        event(fmt::format(
            R"({{"ph":"X","cat":"{}","name":{},"pid":{},"tid":{},"ts":{},"dur":{},"args":{{{}}}}})", category,
            name, pid, tid, microseconds(interval.start - m_base), microseconds(interval.length()), args));
    }

    void metadata(std::string_view name, std::int64_t pid, std::int64_t tid, const Json& value) {
        const char* key = name == "process_sort_index" ? "sort_index" : "name";
        event(text(Json{{"ph", "M"}, {"name", name}, {"pid", pid}, {"tid", tid}, {"args", {{key, value}}}}));
    }

    void writeNames() {
        for (std::size_t i = 0; i < m_pids.size(); ++i) {
            metadata("process_name", m_pids[i], 0, m_trace.processes[i].name);
            metadata("process_sort_index", m_pids[i], 0, i);
            if (m_trace.syncs.size() > 0)
                metadata("thread_name", m_pids[i], kSyncTid, "synchronisation");
        }
        for (const Thread& thread : m_trace.threads)
            if (!thread.name.empty())
                metadata("thread_name", pid(thread.process), thread.tid, thread.name);
        for (std::size_t i = 0; i < m_gpuPids.size(); ++i) {
            const Device& device = m_trace.devices[i];
            metadata("process_name", m_gpuPids[i], 0, fmt::format("GPU {} {}", device.id, device.name));
            metadata("process_sort_index", m_gpuPids[i], 0, kFirstGpuSortIndex + static_cast<int>(i));
        }
        std::set<std::pair<DeviceIndex, std::uint32_t>> streams;
        for (std::size_t row = 0; row < m_trace.gpuOps.size(); ++row)
            streams.emplace(m_trace.gpuOps.device[row], m_trace.gpuOps.stream[row]);
        for (const auto& [device, stream] : streams)
            metadata("thread_name", m_gpuPids[static_cast<std::size_t>(device)], stream,
                     fmt::format("stream {}", stream));
    }

    void writeApiCalls() {
        const ApiCalls& calls = m_trace.apiCalls;
        for (std::size_t row = 0; row < calls.size(); ++row) {
            const std::string_view name = m_trace.text(calls.name[row]);
            const Thread& caller = thread(calls.thread[row]);
            span(name.starts_with("cuda") || name.starts_with("hip") ? "cuda_runtime" : "cuda_driver",
                 text(calls.name[row]), pid(caller.process), caller.tid, calls.interval(row),
                 fmt::format("\"correlation\":{}", calls.correlation[row]));
        }
    }

    void writeRanges() {
        const Ranges& ranges = m_trace.ranges;
        for (std::size_t row = 0; row < ranges.size(); ++row) {
            const Thread& owner = thread(ranges.thread[row]);
            const bool isOperator = ranges.kind[row] == RangeKind::Operator;
            span(isOperator ? "cpu_op" : "user_annotation", text(ranges.name[row]), pid(owner.process),
                 owner.tid, ranges.interval(row),
                 ranges.domain[row] == StringId{} ? std::string()
                                                  : fmt::format("\"domain\":{}", text(ranges.domain[row])));
        }
    }

    /// Those of the hook that were recorded: the format cannot say that a step was not. The others are found
    /// again in the ranges and the work.
    void writeSteps() {
        if (m_trace.stepSource != StepSource::Optimizer)
            return;
        for (const StepMark& step : m_trace.steps)
            if (step.profiled)
                span("user_annotation", fmt::format("\"ProfilerStep#{}\"", step.index), pid(step.process),
                     step.thread == kNoThread ? kUnknownTid : thread(step.thread).tid, step.interval, "");
    }

    void writeGpuOps() {
        const GpuOps& ops = m_trace.gpuOps;
        for (std::size_t row = 0; row < ops.size(); ++row) {
            const auto device = static_cast<std::size_t>(ops.device[row]);
            std::string args = fmt::format("\"device\":{},\"stream\":{},\"correlation\":{}",
                                           m_trace.devices[device].id, ops.stream[row], ops.correlation[row]);
            if (ops.inGraph[row] != 0) // the node's number is not known any more
                args += ",\"graph node id\":1";
            if (ops.kind[row] == GpuOpKind::Kernel)
                args += shapeArguments(ops.shape[row]);
            else
                args += fmt::format(",\"bytes\":{}", ops.sizeBytes[row]);
            const auto [category, name] = gpuOpName(row);
            span(category, name, m_gpuPids[device], ops.stream[row], ops.interval(row), args);
            if (ops.launch[row] != kNoRow)
                writeFlow(row);
        }
    }

    std::pair<std::string_view, std::string> gpuOpName(std::size_t row) {
        const GpuOps& ops = m_trace.gpuOps;
        if (ops.kind[row] == GpuOpKind::Kernel)
            return {"kernel", text(ops.name[row])};
        if (ops.kind[row] == GpuOpKind::Memset)
            return {"gpu_memset", jsonText(memsetName(ops.dstKind[row]))};
        return {"gpu_memcpy", jsonText(copyName({ops.copyKind[row], ops.srcKind[row], ops.dstKind[row]}))};
    }

    [[nodiscard]] std::string shapeArguments(std::uint32_t index) const {
        if (index == kNoRow)
            return {};
        const LaunchShape& shape = m_trace.launchShapes[index];
        std::string args;
        if (shape.grid[0] >= 0)
            args += fmt::format(",\"grid\":[{}]", fmt::join(shape.grid, ","));
        if (shape.block[0] >= 0)
            args += fmt::format(",\"block\":[{}]", fmt::join(shape.block, ","));
        if (shape.registersPerThread >= 0)
            args += fmt::format(",\"registers per thread\":{}", shape.registersPerThread);
        if (shape.dynamicSharedMemoryBytes >= 0)
            args += fmt::format(",\"shared memory\":{}",
                                std::max(shape.staticSharedMemoryBytes, 0) + shape.dynamicSharedMemoryBytes);
        return args;
    }

    /// The arrow of a viewer from the call to the work. Correlation ids are not unique over processes.
    void writeFlow(std::size_t row) {
        const GpuOps& ops = m_trace.gpuOps;
        const std::uint32_t call = ops.launch[row];
        const Thread& caller = thread(m_trace.apiCalls.thread[call]);
        event(fmt::format(R"({{"ph":"s","id":{},"cat":"ac2g","name":"ac2g","pid":{},"tid":{},"ts":{}}})", row,
                          pid(caller.process), caller.tid,
                          microseconds(m_trace.apiCalls.start[call] - m_base)));
        event(fmt::format(
            R"({{"ph":"f","id":{},"cat":"ac2g","name":"ac2g","bp":"e","pid":{},"tid":{},"ts":{}}})", row,
            m_gpuPids[static_cast<std::size_t>(ops.device[row])], ops.stream[row],
            microseconds(ops.start[row] - m_base)));
    }

    void writeSyncsAndOverheads() {
        const Syncs& syncs = m_trace.syncs;
        for (std::size_t row = 0; row < syncs.size(); ++row)
            span("cuda_sync", jsonText(syncName(syncs.kind[row])), pid(syncs.process[row]), kSyncTid,
                 {syncs.start[row], syncs.end[row]},
                 fmt::format("\"stream\":{},\"correlation\":{}", syncs.stream[row], syncs.correlation[row]));
        const Overheads& overheads = m_trace.overheads;
        for (std::size_t row = 0; row < overheads.size(); ++row) {
            const bool isKnown = overheads.thread[row] != kNoThread;
            const ProcessIndex process = isKnown ? thread(overheads.thread[row]).process : ProcessIndex{};
            span("overhead", jsonText(overheadName(overheads.kind[row])), pid(process),
                 isKnown ? thread(overheads.thread[row]).tid : kUnknownTid,
                 {overheads.start[row], overheads.end[row]}, "");
        }
    }

    void writeCounters() {
        for (const CounterSeries& series : m_trace.counters) {
            const std::string name = jsonText(series.name);
            for (std::size_t i = 0; i < series.time.size(); ++i)
                if (std::isfinite(series.value[i]))
                    event(fmt::format(R"({{"ph":"C","name":{},"pid":{},"ts":{},"args":{{"value":{}}}}})",
                                      name, m_gpuPids[static_cast<std::size_t>(series.device)],
                                      microseconds(series.time[i] - m_base), series.value[i]));
        }
    }

    [[nodiscard]] Json deviceProperties() const {
        Json list = Json::array();
        for (const Device& device : m_trace.devices)
            list.push_back({{"id", device.id},
                            {"name", device.name},
                            {"totalGlobalMem", device.memoryBytes},
                            {"computeMajor", device.computeMajor},
                            {"computeMinor", device.computeMinor},
                            {"warpSize", kWarpThreads},
                            {"maxThreadsPerMultiprocessor", device.maxWarpsPerSm * kWarpThreads},
                            {"regsPerMultiprocessor", device.registersPerSm},
                            {"sharedMemPerMultiprocessor", device.sharedMemoryPerSmBytes},
                            {"numSms", device.smCount}});
        return list;
    }

    [[nodiscard]] Json distributedInfo() const {
        const Process& process = m_trace.processes[0];
        Json info = {{"rank", *process.rank}};
        if (process.worldSize)
            info["world_size"] = *process.worldSize;
        const auto backend = process.facts.find("distributed_backend");
        if (backend != process.facts.end())
            info["backend"] = backend->second;
        return info;
    }

    const Trace& m_trace;
    OutputFile& m_file;
    TimeNs m_base{};
    bool m_isFirst = true;
    std::int64_t m_nextPid = kFirstFreePid;
    std::vector<std::int64_t> m_pids, m_gpuPids; ///< by ProcessIndex, by DeviceIndex
    std::vector<std::string> m_texts;            ///< by StringId; empty: not made yet
};

} // namespace

void exportChrome(const Trace& trace, const std::string& path) {
    OutputFile file(path);
    ChromeWriter(trace, file).write();
    file.finish();
}

} // namespace tacho
