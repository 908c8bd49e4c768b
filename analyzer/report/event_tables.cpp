// SPDX-License-Identifier: Apache-2.0
#include "analyzer/report/event_tables.h"

#include "analyzer/metrics/kernel_times.h"
#include "analyzer/model/memory_kind.h"
#include "analyzer/report/summary_columns.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

namespace tacho {
namespace {

const Cell kUntold = std::string();

/// A number that -1 stands in for where the file does not say.
Cell known(std::int32_t number) {
    return number < 0 ? kUntold : Cell{std::int64_t{number}};
}
Cell megabytes(std::int64_t bytes) {
    return bytes < 0 ? kUntold : Cell{static_cast<double>(bytes) / kBytesPerMegabyte};
}

std::string deviceName(const Trace& trace, DeviceIndex index) {
    const Device& device = trace.devices[static_cast<std::size_t>(index)];
    return device.name + " (" + std::to_string(device.id) + ")";
}

/// By what the class of a kernel is known.
std::string sourceOf(const KernelKind& kind) {
    if (kind.isCommunication)
        return "name";
    if (kind.isFromCode)
        return "code";
    return kind.use.tensorClass == TensorClass::Unknown ? "-" : "name";
}

void appendShape(std::vector<Cell>& cells, const Trace& trace, std::size_t row) {
    const std::uint32_t index = trace.gpuOps.shape[row];
    const LaunchShape shape = index == kNoRow ? LaunchShape() : trace.launchShapes[index];
    for (const std::int32_t size : shape.grid)
        cells.push_back(known(size));
    for (const std::int32_t size : shape.block)
        cells.push_back(known(size));
    cells.push_back(known(shape.registersPerThread));
    cells.push_back(megabytes(shape.staticSharedMemoryBytes));
    cells.push_back(megabytes(shape.dynamicSharedMemoryBytes));
}

void appendCopy(std::vector<Cell>& cells, const GpuOps& ops, std::size_t row) {
    if (ops.kind[row] == GpuOpKind::Kernel) {
        cells.insert(cells.end(), {kUntold, kUntold, kUntold, kUntold});
        return;
    }
    const auto length = static_cast<double>(ops.interval(row).length().count());
    const auto bytes = static_cast<double>(ops.sizeBytes[row]);
    const bool isCopy = ops.kind[row] == GpuOpKind::Memcpy;
    cells.push_back(megabytes(ops.sizeBytes[row]));
    cells.push_back(length > 0 ? Cell{bytes / kBytesPerMegabyte / length * 1e9} : kUntold);
    cells.push_back(isCopy ? Cell{std::string(titleOf(ops.srcKind[row]))} : kUntold);
    cells.emplace_back(std::string(titleOf(ops.dstKind[row])));
}

/// The four times of one launch.
struct LaunchTimes {
    std::array<std::vector<std::int64_t>, 4> values; ///< T, A, Q, K
};
constexpr std::array<std::string_view, 4> kLetters = {"T", "A", "Q", "K"};

std::vector<Column> launchColumns() {
    std::vector<Column> columns = {{"PID", Unit::None, true},
                                   {"TID", Unit::None, true},
                                   {"DevId"},
                                   {"Count"},
                                   {"QCount", Unit::None, true}};
    for (const std::string_view letter : kLetters)
        for (const std::string_view figure : {"Avg", "Med", "Min", "Max", "StdDev"})
            columns.push_back(
                {std::string(letter) + std::string(figure), Unit::Nanoseconds, figure != "Avg"});
    columns.push_back({"API Name", Unit::None, true});
    columns.push_back({"Kernel Name"});
    return columns;
}

} // namespace

Table launchTable(const Trace& trace) {
    using Key = std::tuple<ThreadIndex, DeviceIndex, StringId, StringId>; // ..., call, kernel
    const GpuOps& ops = trace.gpuOps;
    std::map<Key, LaunchTimes> rows;
    for (std::size_t op = 0; op < ops.size(); ++op) {
        const std::uint32_t call = ops.launch[op];
        if (ops.kind[op] != GpuOpKind::Kernel || call == kNoRow)
            continue;
        const Interval api = trace.apiCalls.interval(call);
        auto& [total, calls, queue, kernel] =
            rows[{trace.apiCalls.thread[call], ops.device[op], trace.apiCalls.name[call], ops.name[op]}]
                .values;
        total.push_back((ops.end[op] - api.start).count());
        calls.push_back(api.length().count());
        if (ops.start[op] > api.end)
            queue.push_back((ops.start[op] - api.end).count());
        kernel.push_back(ops.interval(op).length().count());
    }
    Table table{"launches", "Launches, from call to kernel", launchColumns(), {}};
    std::vector<std::pair<DurationNs, std::vector<Cell>>> sorted;
    for (auto& [key, times] : rows) {
        const auto& [threadIndex, device, call, kernel] = key;
        const Thread& thread = trace.threads[static_cast<std::size_t>(threadIndex)];
        std::vector<Cell> cells = {trace.processes[static_cast<std::size_t>(thread.process)].pid, thread.tid,
                                   std::int64_t{trace.devices[static_cast<std::size_t>(device)].id},
                                   static_cast<std::int64_t>(times.values[0].size()),
                                   static_cast<std::int64_t>(times.values[2].size())};
        DurationNs total{0};
        for (std::vector<std::int64_t>& values : times.values) {
            const TimeSummary summary =
                values.empty() ? TimeSummary() : summarizeTimes("", std::move(values));
            if (&values == times.values.data())
                total = summary.total;
            cells.insert(cells.end(), {summary.mean, summary.median, std::int64_t{summary.min.count()},
                                       std::int64_t{summary.max.count()}, summary.stddev});
        }
        cells.emplace_back(std::string(trace.text(call)));
        cells.emplace_back(std::string(trace.text(kernel)));
        sorted.emplace_back(total, std::move(cells));
    }
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    for (auto& [total, cells] : sorted)
        table.rows.push_back(std::move(cells));
    return table;
}

Table gpuTraceTable(const Trace& trace) {
    Table table{"gpu_trace",
                "GPU work in the order of time",
                {{"Start", Unit::Nanoseconds},
                 {"Duration", Unit::Nanoseconds},
                 {"CorrId", Unit::None, true},
                 {"GrdX", Unit::None, true},
                 {"GrdY", Unit::None, true},
                 {"GrdZ", Unit::None, true},
                 {"BlkX", Unit::None, true},
                 {"BlkY", Unit::None, true},
                 {"BlkZ", Unit::None, true},
                 {"Reg/Trd", Unit::None, true},
                 {"StcSMem", Unit::Megabytes, true},
                 {"DymSMem", Unit::Megabytes, true},
                 {"Bytes", Unit::Megabytes, true},
                 {"Throughput", Unit::MegabytesPerSecond, true},
                 {"SrcMemKd", Unit::None, true},
                 {"DstMemKd", Unit::None, true},
                 {"Device", Unit::None, true},
                 {"Ctx", Unit::None, true},
                 {"GreenCtx", Unit::None, true},
                 {"Strm"},
                 {"Name"}},
                {}};
    const GpuOps& ops = trace.gpuOps;
    table.rows.reserve(ops.size());
    for (std::size_t row = 0; row < ops.size(); ++row) {
        std::vector<Cell> cells = {toNs(ops.start[row]), std::int64_t{ops.interval(row).length().count()},
                                   std::int64_t{ops.correlation[row]}};
        cells.reserve(table.columns.size());
        appendShape(cells, trace, row);
        appendCopy(cells, ops, row);
        cells.insert(cells.end(), {deviceName(trace, ops.device[row]), kUntold, kUntold,
                                   std::int64_t{ops.stream[row]}, gpuOpName(trace, row)});
        table.rows.push_back(std::move(cells));
    }
    return table;
}

Table apiTraceTable(const Trace& trace) {
    Table table{"api_trace",
                "CUDA calls in the order of time",
                {{"Start", Unit::Nanoseconds},
                 {"Duration", Unit::Nanoseconds},
                 {"Name"},
                 {"Result", Unit::None, true},
                 {"CorrID", Unit::None, true},
                 {"Pid", Unit::None, true},
                 {"Tid", Unit::None, true},
                 {"T-Pri", Unit::None, true},
                 {"Thread Name", Unit::None, true}},
                {}};
    const ApiCalls& calls = trace.apiCalls;
    table.rows.reserve(calls.size());
    for (std::size_t row = 0; row < calls.size(); ++row) {
        const Thread& thread = trace.threads[static_cast<std::size_t>(calls.thread[row])];
        table.rows.push_back({toNs(calls.start[row]), std::int64_t{calls.interval(row).length().count()},
                              std::string(trace.text(calls.name[row])), kUntold,
                              std::int64_t{calls.correlation[row]},
                              trace.processes[static_cast<std::size_t>(thread.process)].pid, thread.tid,
                              kUntold, thread.name});
    }
    return table;
}

Table tensorTable(const Trace& trace) {
    const std::vector<KernelKind> kinds = judgeKernelNames(trace);
    std::map<std::array<std::string, 3>, std::vector<std::int64_t>> lengths;
    for (std::size_t row = 0; row < trace.gpuOps.size(); ++row) {
        if (trace.gpuOps.kind[row] != GpuOpKind::Kernel)
            continue;
        const KernelKind& kind = kinds[static_cast<std::size_t>(trace.gpuOps.name[row])];
        const std::string use =
            kind.isCommunication ? "communication" : std::string(nameOf(kind.use.tensorClass));
        lengths[{use, std::string(nameOf(kind.use.mode)), sourceOf(kind)}].push_back(
            trace.gpuOps.interval(row).length().count());
    }
    std::vector<std::pair<TimeSummary, std::array<std::string, 3>>> rows;
    DurationNs whole{0};
    for (auto& [key, values] : lengths) {
        rows.emplace_back(summarizeTimes(key[0], std::move(values)), key);
        whole += rows.back().first.total;
    }
    std::stable_sort(rows.begin(), rows.end(),
                     [](const auto& a, const auto& b) { return a.first.total > b.first.total; });
    Table table{"tensor", "Kernels by use of tensor cores", timeColumns("Instances"), {}};
    table.columns.push_back({"Arithmetic"});
    table.columns.push_back({"Class"});
    table.columns.push_back({"From"});
    for (const auto& [summary, key] : rows) {
        std::vector<Cell> cells = timeCells(summary, whole);
        cells.emplace_back(key[1]);
        cells.emplace_back(key[0]);
        cells.emplace_back(key[2]);
        table.rows.push_back(std::move(cells));
    }
    return table;
}

} // namespace tacho
