// SPDX-License-Identifier: Apache-2.0
#include "analyzer/import/save_trace.h"

#include "analyzer/import/collective_rows.h"
#include "analyzer/import/gpu_counters.h"
#include "analyzer/import/range_domains.h"
#include "analyzer/import/step_source_names.h"
#include "analyzer/model/error.h"
#include "analyzer/sqlite/insert.h"
#include "analyzer/sqlite/kernel_names.h"
#include "analyzer/sqlite/schema.h"

#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>

namespace tacho {

namespace {

constexpr std::int64_t kPushPop = 59; // of ENUM_NSYS_EVENT_TYPE
constexpr std::int64_t kStartEnd = 60;
constexpr std::int64_t kMark = 34;

std::int64_t eventTypeOf(RangeKind kind) {
    return kind == RangeKind::Mark ? kMark : kind == RangeKind::NvtxStartEnd ? kStartEnd : kPushPop;
}

constexpr std::int64_t kDomainCreate = 75;

template <typename Enum>
std::int64_t number(Enum value) {
    return static_cast<std::int64_t>(value);
}

std::string_view severityName(Severity severity) {
    static constexpr std::array<std::string_view, 4> kNames = {"info", "warning", "data_loss", "error"};
    return kNames.at(static_cast<std::size_t>(severity));
}

class TraceWriter {
  public:
    TraceWriter(const Trace& trace, Database& db) : m_trace(trace), m_db(db), m_ids(trace) {}

    void write() {
        writeMeta();
        writeKernels();
        writeWholeGraphs();
        writeCopiesAndSets();
        writeApiCalls();
        writeRanges();
        writeSyncsAndOverheads();
        writeMemoryEvents();
        writeKernelCode();
        writeProcesses();
        writeDevices();
        writeCounters(m_trace, m_db);
        writeCollectives(m_trace, m_ids, m_db);
        writeStepsAndWindows();
        writeStrings();
    }

  private:
    [[nodiscard]] const Device& deviceOf(std::size_t row) const {
        return m_trace.devices[static_cast<std::size_t>(m_trace.gpuOps.device[row])];
    }

    /// Texts that the trace does not have get ids after those that it has.
    std::int64_t newString(std::string_view text) {
        const auto next = static_cast<std::int64_t>(m_trace.strings.size() + m_newStrings.size());
        return m_newStrings.try_emplace(std::string(text), next).first->second;
    }

    void writeMeta() {
        Insert meta(m_db, "TACHO_META", {"name", "value"});
        meta.row("format_version", "1");
        meta.row("imported_from", std::string_view(m_trace.formatVersion));
        meta.row("step_source", stepSourceName(m_trace.stepSource));
        Insert health(m_db, "TACHO_HEALTH", {"severity", "code", "count", "message"});
        for (const HealthNote& note : m_trace.health)
            health.row(severityName(note.severity), std::string_view(note.code), note.count,
                       std::string_view(note.message));
    }

    void writeKernels() {
        Insert kernels(m_db, "CUPTI_ACTIVITY_KIND_KERNEL",
                       {"start",
                        "end",
                        "deviceId",
                        "contextId",
                        "streamId",
                        "correlationId",
                        "globalPid",
                        "demangledName",
                        "shortName",
                        "gridX",
                        "gridY",
                        "gridZ",
                        "blockX",
                        "blockY",
                        "blockZ",
                        "registersPerThread",
                        "staticSharedMemory",
                        "dynamicSharedMemory",
                        "localMemoryPerThread",
                        "localMemoryTotal",
                        "gridId",
                        "graphNodeId"});
        const GpuOps& ops = m_trace.gpuOps;
        std::unordered_map<std::int64_t, std::int64_t> shortNames;
        for (std::size_t row = 0; row < ops.size(); ++row) {
            if (ops.kind[row] != GpuOpKind::Kernel || isWholeGraph(row))
                continue;
            const std::int64_t name = number(ops.name[row]);
            const auto [known, isNew] = shortNames.try_emplace(name, 0);
            if (isNew)
                known->second = newString(shortName(m_trace.text(ops.name[row])));
            const LaunchShape shape =
                ops.shape[row] == kNoRow ? LaunchShape{} : m_trace.launchShapes[ops.shape[row]];
            kernels.row(toNs(ops.start[row]), toNs(ops.end[row]), deviceOf(row).id, std::int64_t{0},
                        ops.stream[row], ops.correlation[row], m_ids.of(deviceOf(row).process), name,
                        known->second, shape.grid[0], shape.grid[1], shape.grid[2], shape.block[0],
                        shape.block[1], shape.block[2], shape.registersPerThread,
                        shape.staticSharedMemoryBytes, shape.dynamicSharedMemoryBytes, std::int64_t{0},
                        std::int64_t{0}, std::int64_t{0}, graphNode(row));
        }
    }

    [[nodiscard]] bool isWholeGraph(std::size_t row) const {
        return m_trace.text(m_trace.gpuOps.name[row]) == kWholeGraph;
    }

    void writeWholeGraphs() {
        Insert graphs(m_db, "CUPTI_ACTIVITY_KIND_GRAPH_TRACE",
                      {"start", "end", "deviceId", "contextId", "streamId", "correlationId", "globalPid"});
        const GpuOps& ops = m_trace.gpuOps;
        for (std::size_t row = 0; row < ops.size(); ++row)
            if (isWholeGraph(row))
                graphs.row(toNs(ops.start[row]), toNs(ops.end[row]), deviceOf(row).id, std::int64_t{0},
                           ops.stream[row], ops.correlation[row], m_ids.of(deviceOf(row).process));
    }

    /// The node's number is not known any more, only that there is one.
    [[nodiscard]] std::optional<std::int64_t> graphNode(std::size_t row) const {
        return m_trace.gpuOps.inGraph[row] ? std::optional(std::int64_t{1}) : std::nullopt;
    }

    void writeCopiesAndSets() {
        Insert copies(m_db, "CUPTI_ACTIVITY_KIND_MEMCPY",
                      {"start", "end", "deviceId", "contextId", "streamId", "correlationId", "globalPid",
                       "bytes", "graphNodeId", "copyKind", "srcKind", "dstKind"});
        Insert sets(m_db, "CUPTI_ACTIVITY_KIND_MEMSET",
                    {"start", "end", "deviceId", "contextId", "streamId", "correlationId", "globalPid",
                     "bytes", "graphNodeId", "memKind", "value"});
        const GpuOps& ops = m_trace.gpuOps;
        for (std::size_t row = 0; row < ops.size(); ++row) {
            if (ops.kind[row] == GpuOpKind::Memcpy)
                copies.row(toNs(ops.start[row]), toNs(ops.end[row]), deviceOf(row).id, std::int64_t{0},
                           ops.stream[row], ops.correlation[row], m_ids.of(deviceOf(row).process),
                           ops.sizeBytes[row], graphNode(row), number(ops.copyKind[row]),
                           number(ops.srcKind[row]), number(ops.dstKind[row]));
            else if (ops.kind[row] == GpuOpKind::Memset)
                sets.row(toNs(ops.start[row]), toNs(ops.end[row]), deviceOf(row).id, std::int64_t{0},
                         ops.stream[row], ops.correlation[row], m_ids.of(deviceOf(row).process),
                         ops.sizeBytes[row], graphNode(row), number(ops.dstKind[row]), std::int64_t{0});
        }
    }

    void writeApiCalls() {
        Insert insert(m_db, "CUPTI_ACTIVITY_KIND_RUNTIME",
                      {"start", "end", "eventClass", "globalTid", "correlationId", "nameId", "returnValue"});
        const ApiCalls& calls = m_trace.apiCalls;
        for (std::size_t row = 0; row < calls.size(); ++row) {
            const std::string_view name = m_trace.text(calls.name[row]);
            const bool isDriver = name.substr(0, 2) == "cu" && name.substr(0, 4) != "cuda";
            insert.row(toNs(calls.start[row]), toNs(calls.end[row]), std::int64_t{isDriver},
                       m_ids.of(calls.thread[row]), calls.correlation[row], number(calls.name[row]),
                       std::int64_t{0});
        }
    }

    [[nodiscard]] std::string_view domainOf(std::size_t row) const {
        switch (m_trace.ranges.kind[row]) {
        case RangeKind::Phase:
            return kPhaseDomain;
        case RangeKind::Operator:
            return kOperatorDomain;
        case RangeKind::Annotation:
            return kAnnotationDomain;
        case RangeKind::Nvtx:
        case RangeKind::NvtxStartEnd:
        case RangeKind::Mark:
            break;
        }
        return m_trace.text(m_trace.ranges.domain[row]);
    }

    void writeRanges() {
        Insert insert(m_db, "NVTX_EVENTS", {"start", "end", "eventType", "globalTid", "textId", "domainId"});
        const Ranges& ranges = m_trace.ranges;
        std::map<std::string_view, std::int64_t> domainIds{{"", 0}};
        std::set<std::pair<ProcessIndex, std::int64_t>> created;
        for (std::size_t row = 0; row < ranges.size(); ++row) {
            const std::string_view domain = domainOf(row);
            const auto nextId = static_cast<std::int64_t>(domainIds.size());
            const std::int64_t domainId = domainIds.try_emplace(domain, nextId).first->second;
            const ProcessIndex process =
                m_trace.threads[static_cast<std::size_t>(ranges.thread[row])].process;
            if (domainId != 0 && created.emplace(process, domainId).second)
                insert.row(std::int64_t{0}, std::optional<std::int64_t>(), kDomainCreate,
                           m_ids.of(ranges.thread[row]), newString(domain), domainId);
            const bool isMark = ranges.kind[row] == RangeKind::Mark;
            insert.row(toNs(ranges.start[row]), isMark ? std::nullopt : std::optional(toNs(ranges.end[row])),
                       eventTypeOf(ranges.kind[row]), m_ids.of(ranges.thread[row]), number(ranges.name[row]),
                       domainId);
        }
    }

    void writeSyncsAndOverheads() {
        Insert syncRows(m_db, "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
                        {"start", "end", "deviceId", "contextId", "streamId", "correlationId", "globalPid",
                         "syncType", "eventId"});
        const Syncs& syncs = m_trace.syncs;
        for (std::size_t row = 0; row < syncs.size(); ++row)
            syncRows.row(toNs(syncs.start[row]), toNs(syncs.end[row]), std::int64_t{0}, std::int64_t{0},
                         syncs.stream[row], syncs.correlation[row], m_ids.of(syncs.process[row]),
                         number(syncs.kind[row]), std::int64_t{0});
        Insert overheadRows(m_db, "CUPTI_ACTIVITY_KIND_OVERHEAD",
                            {"start", "end", "eventClass", "globalTid", "overheadType"});
        const Overheads& overheads = m_trace.overheads;
        for (std::size_t row = 0; row < overheads.size(); ++row) {
            const ThreadIndex thread = overheads.thread[row];
            overheadRows.row(toNs(overheads.start[row]), toNs(overheads.end[row]), std::int64_t{0},
                             thread == kNoThread ? std::nullopt : std::optional(m_ids.of(thread)),
                             number(overheads.kind[row]));
        }
    }

    void writeMemoryEvents() {
        Insert insert(
            m_db, "CUDA_GPU_MEMORY_USAGE_EVENTS",
            {"start", "globalPid", "deviceId", "contextId", "bytes", "memKind", "memoryOperationType"});
        for (const MemoryEvent& event : m_trace.memoryEvents)
            insert.row(toNs(event.time), m_ids.of(event.process), event.device, std::int64_t{0}, event.bytes,
                       number(event.kind), std::int64_t{event.isRelease});
    }

    void writeKernelCode() {
        Insert insert(m_db, "TACHO_KERNEL_CODE", {"global_pid", "kernel", "tensor_types"});
        for (const KernelCode& code : m_trace.kernelCode)
            insert.row(m_ids.of(code.process), number(code.name), m_trace.text(code.tensorTypes));
    }

    void writeProcesses() {
        Insert processes(m_db, "PROCESSES", {"globalPid", "pid", "name"});
        Insert own(m_db, "TACHO_PROCESSES", {"global_pid", "command_line", "start_ns", "rank", "world_size"});
        Insert facts(m_db, "TACHO_FRAMEWORK", {"global_pid", "name", "value"});
        for (std::size_t index = 0; index < m_trace.processes.size(); ++index) {
            const Process& process = m_trace.processes[index];
            const std::int64_t id = m_ids.of(static_cast<ProcessIndex>(index));
            processes.row(id, process.pid, std::string_view(process.name));
            own.row(id, std::string_view(process.commandLine), std::int64_t{0}, process.rank,
                    process.worldSize);
            for (const auto& [name, value] : process.facts)
                facts.row(id, std::string_view(name), std::string_view(value));
        }
        Insert names(m_db, "ThreadNames", {"nameId", "globalTid"});
        for (std::size_t index = 0; index < m_trace.threads.size(); ++index)
            if (!m_trace.threads[index].name.empty())
                names.row(newString(m_trace.threads[index].name), m_ids.of(static_cast<ThreadIndex>(index)));
    }

    void writeDevices() {
        Insert gpus(m_db, "TARGET_INFO_GPU",
                    {"vmId", "id", "name", "chipName", "totalMemory", "smCount", "computeMajor",
                     "computeMinor", "maxWarpsPerSm", "maxBlocksPerSm", "maxRegistersPerSm", "maxShmemPerSm",
                     "cuDevice"});
        Insert ordinals(m_db, "TARGET_INFO_CUDA_DEVICE", {"gpuId", "cudaId", "pid"});
        for (std::size_t index = 0; index < m_trace.devices.size(); ++index) {
            const Device& device = m_trace.devices[index];
            const auto gpuId = static_cast<std::int64_t>(index);
            gpus.row(std::int64_t{0}, gpuId, std::string_view(device.name), std::string_view(device.chip),
                     device.memoryBytes, device.smCount, device.computeMajor, device.computeMinor,
                     device.maxWarpsPerSm, device.maxBlocksPerSm, device.registersPerSm,
                     device.sharedMemoryPerSmBytes, device.id);
            ordinals.row(gpuId, device.id, m_trace.processes[static_cast<std::size_t>(device.process)].pid);
        }
    }

    void writeStepsAndWindows() {
        Insert steps(m_db, "TACHO_STEPS", {"global_pid", "global_tid", "step_index", "start_ns", "end_ns"});
        for (const StepMark& step : m_trace.steps) {
            steps.row(m_ids.of(step.process),
                      step.thread == kNoThread ? m_ids.of(step.process) : m_ids.of(step.thread), step.index,
                      toNs(step.interval.start), toNs(step.interval.end));
        }
        Insert windows(m_db, "TACHO_WINDOWS", {"global_pid", "start_ns", "end_ns"});
        for (const RecordedWindow& window : m_trace.windows)
            windows.row(m_ids.of(window.process), toNs(window.interval.start),
                        window.interval.end == TimeNs::max() ? std::optional<std::int64_t>()
                                                             : toNs(window.interval.end));
        Insert blocks(
            m_db, "TACHO_CALIBRATION",
            {"global_pid", "is_profiled", "first_step", "last_step", "start_ns", "end_ns", "step_ns"});
        for (const CalibrationBlock& block : m_trace.calibration)
            blocks.row(m_ids.of(block.process), block.profiled ? 1 : 0, block.firstStep, block.lastStep,
                       toNs(block.interval.start), toNs(block.interval.end),
                       std::int64_t{block.stepLength().count()});
    }

    void writeStrings() {
        Insert insert(m_db, "StringIds", {"id", "value"});
        for (std::size_t id = 0; id < m_trace.strings.size(); ++id)
            insert.row(static_cast<std::int64_t>(id), m_trace.text(static_cast<StringId>(id)));
        for (const auto& [text, id] : m_newStrings)
            insert.row(id, std::string_view(text));
    }

    const Trace& m_trace;
    Database& m_db;
    GlobalIds m_ids;
    std::map<std::string, std::int64_t> m_newStrings;
};

} // namespace

void saveTrace(const Trace& trace, const std::string& path) {
    const std::string partial = path + ".partial";
    std::error_code error;
    std::filesystem::remove(partial, error); // a rest of an import that was killed
    {
        Database db(partial, Database::Mode::Create);
        db.execute("PRAGMA synchronous = OFF");
        Transaction transaction(db);
        db.execute(std::string(embedded::schemaSql));
        TraceWriter(trace, db).write();
        transaction.commit();
        db.execute("PRAGMA user_version = 1");
    }
    std::filesystem::rename(partial, path, error);
    if (error)
        throw Error(fmt::format("{}: cannot be written: {}", path, error.message()));
}

} // namespace tacho
