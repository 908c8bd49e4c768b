// SPDX-License-Identifier: Apache-2.0
#include "analyzer/model/trace_tables.h"

#include "analyzer/model/trace_fields.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <numeric>
#include <optional>
#include <tuple>

namespace tacho {

void append(GpuOps& table, const GpuOpRow& row) {
    table.start.push_back(row.interval.start);
    table.end.push_back(row.interval.end);
    table.name.push_back(row.name);
    table.correlation.push_back(row.correlation);
    table.stream.push_back(row.stream);
    table.device.push_back(row.device);
    table.kind.push_back(row.kind);
    table.shape.push_back(row.shape);
    table.launch.push_back(kNoRow);
    table.sizeBytes.push_back(row.sizeBytes);
    table.copyKind.push_back(row.copyKind);
    table.srcKind.push_back(row.srcKind);
    table.dstKind.push_back(row.dstKind);
    table.inGraph.push_back(row.inGraph);
}

void append(ApiCalls& table, const ApiCallRow& row) {
    table.start.push_back(row.interval.start);
    table.end.push_back(row.interval.end);
    table.name.push_back(row.name);
    table.thread.push_back(row.thread);
    table.correlation.push_back(row.correlation);
    table.kind.push_back(ApiKind::Other);
}

void append(Ranges& table, const RangeRow& row) {
    table.start.push_back(row.interval.start);
    table.end.push_back(row.interval.end);
    table.name.push_back(row.name);
    table.domain.push_back(row.domain);
    table.thread.push_back(row.thread);
    table.kind.push_back(row.kind);
}

void append(Syncs& table, const SyncRow& row) {
    table.start.push_back(row.interval.start);
    table.end.push_back(row.interval.end);
    table.kind.push_back(row.kind);
    table.process.push_back(row.process);
    table.stream.push_back(row.stream);
    table.correlation.push_back(row.correlation);
}

void append(Overheads& table, const OverheadRow& row) {
    table.start.push_back(row.interval.start);
    table.end.push_back(row.interval.end);
    table.kind.push_back(row.kind);
    table.thread.push_back(row.thread);
}

namespace {

using Row = std::uint32_t;

template <typename T>
void permute(std::vector<T>& column, const std::vector<Row>& order) {
    std::vector<T> sorted;
    sorted.reserve(order.size());
    for (const Row row : order)
        sorted.push_back(column[row]);
    column = std::move(sorted);
}

/// One column at a time, so that no more than one is in memory twice.
template <typename Table, typename Less>
void sortRows(Table& table, Less less) {
    const std::size_t size = table.size();
    bool sorted = true;
    for (Row row = 1; row < size && sorted; ++row)
        sorted = !less(row, row - 1);
    if (sorted)
        return;
    std::vector<Row> order(size);
    std::iota(order.begin(), order.end(), Row{0});
    std::stable_sort(order.begin(), order.end(), less);
    forFields(table, [&](auto&... columns) { (permute(columns, order), ...); });
}

template <typename T>
void removeFrom(std::vector<T>& column, const std::vector<Row>& rows) {
    auto next = rows.begin();
    std::size_t kept = 0;
    for (Row row = 0; row < column.size(); ++row)
        if (next != rows.end() && *next == row)
            ++next;
        else
            column[kept++] = column[row];
    column.resize(kept);
}

template <typename Table>
auto byStart(const Table& table) {
    return [&table](Row a, Row b) {
        return std::tie(table.start[a], table.end[a]) < std::tie(table.start[b], table.end[b]);
    };
}

void sortTables(Trace& trace) {
    sortRows(trace.gpuOps, byStart(trace.gpuOps));
    sortRows(trace.apiCalls, byStart(trace.apiCalls));
    const Ranges& ranges = trace.ranges;
    const auto parentsFirst = [&](Row a, Row b) {
        return std::tie(ranges.start[a], ranges.end[b]) < std::tie(ranges.start[b], ranges.end[a]);
    };
    sortRows(trace.ranges, parentsFirst);
    sortRows(trace.syncs, byStart(trace.syncs));
    sortRows(trace.overheads, byStart(trace.overheads));
    const auto byProcess = [](const auto& a, const auto& b) {
        return std::tie(a.process, a.interval.start) < std::tie(b.process, b.interval.start);
    };
    std::stable_sort(trace.steps.begin(), trace.steps.end(), byProcess);
    std::stable_sort(trace.collectives.begin(), trace.collectives.end(), byProcess);
    std::sort(trace.windows.begin(), trace.windows.end());
    std::stable_sort(trace.calibration.begin(), trace.calibration.end(),
                     [](const CalibrationBlock& a, const CalibrationBlock& b) {
                         return std::tie(a.process, a.interval) < std::tie(b.process, b.interval);
                     });
    const auto byTime = [](const auto& a, const auto& b) { return a.time < b.time; };
    std::stable_sort(trace.modules.begin(), trace.modules.end(), byTime);
    std::stable_sort(trace.memoryEvents.begin(), trace.memoryEvents.end(), byTime);
    std::stable_sort(trace.memorySamples.begin(), trace.memorySamples.end(), byTime);
    std::stable_sort(trace.jitOperations.begin(), trace.jitOperations.end(),
                     [](const JitOperation& a, const JitOperation& b) { return a.interval < b.interval; });
}

bool startsWith(std::string_view text, std::string_view start) {
    return text.substr(0, start.size()) == start;
}

bool endsWith(std::string_view text, std::string_view end) {
    return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

template <std::size_t N>
bool startsWithAny(std::string_view text, const std::array<std::string_view, N>& starts) {
    return std::any_of(starts.begin(), starts.end(),
                       [&](std::string_view start) { return startsWith(text, start); });
}

void classifyCalls(Trace& trace) {
    std::vector<std::optional<ApiKind>> known(trace.strings.size()); // millions of calls, a hundred names
    for (std::size_t row = 0; row < trace.apiCalls.size(); ++row) {
        auto& kind = known[static_cast<std::size_t>(trace.apiCalls.name[row])];
        if (!kind)
            kind = classifyApi(trace.text(trace.apiCalls.name[row]));
        trace.apiCalls.kind[row] = *kind;
    }
}

std::uint64_t launchKey(ProcessIndex process, std::uint32_t correlation) {
    return static_cast<std::uint64_t>(process) << 32 | correlation;
}

/// Calls by process and correlation id, then start.
using Issuers = std::vector<std::pair<std::uint64_t, Row>>;

Issuers issuersOf(const Trace& trace) {
    const ApiCalls& calls = trace.apiCalls;
    Issuers issuers;
    issuers.reserve(calls.size());
    for (Row row = 0; row < calls.size(); ++row)
        if (calls.correlation[row] != 0)
            issuers.emplace_back(launchKey(trace.threads[static_cast<std::size_t>(calls.thread[row])].process,
                                           calls.correlation[row]),
                                 row);
    std::sort(issuers.begin(), issuers.end());
    return issuers;
}

/// A GPU's clock is that close to the host's. Ids begin anew only where CUPTI left the process and came back,
/// which takes far longer.
constexpr DurationNs kClockError{1'000'000};

/// The call with the key that began last before the work did, and of calls inside each other the outer one.
Row issuerOf(std::uint64_t key, TimeNs start, const Issuers& issuers, const ApiCalls& calls) {
    auto issuer = std::partition_point(issuers.begin(), issuers.end(), [&](const auto& each) {
        return each.first < key || (each.first == key && calls.start[each.second] <= start + kClockError);
    });
    if (issuer != issuers.begin() && std::prev(issuer)->first == key)
        --issuer;
    else if (issuer == issuers.end() || issuer->first != key)
        return kNoRow;
    while (issuer != issuers.begin() && std::prev(issuer)->first == key &&
           calls.end[std::prev(issuer)->second] >= calls.start[issuer->second])
        --issuer;
    return issuer->second;
}

void linkLaunches(Trace& trace) {
    const ApiCalls& calls = trace.apiCalls;
    const Issuers issuers = issuersOf(trace);
    GpuOps& ops = trace.gpuOps;
    for (Row row = 0; row < ops.size(); ++row) {
        if (ops.correlation[row] == 0)
            continue;
        const auto key =
            launchKey(trace.devices[static_cast<std::size_t>(ops.device[row])].process, ops.correlation[row]);
        ops.launch[row] = issuerOf(key, ops.start[row], issuers, calls);
        if (ops.launch[row] != kNoRow && calls.kind[ops.launch[row]] == ApiKind::GraphLaunch)
            ops.inGraph[row] = 1;
    }
}

} // namespace

std::string_view withoutVersionSuffix(std::string_view apiName) {
    for (;;) {
        const std::size_t cut = apiName.rfind('_');
        if (cut == std::string_view::npos || cut == 0)
            return apiName;
        const std::string_view suffix = apiName.substr(cut + 1);
        const bool isVersion = suffix.size() > 1 && suffix[0] == 'v' &&
                               suffix.find_first_not_of("0123456789", 1) == std::string_view::npos;
        if (!isVersion && suffix != "ptsz" && suffix != "ptds")
            return apiName;
        apiName.remove_suffix(apiName.size() - cut);
    }
}

ApiKind classifyApi(std::string_view name) {
    static constexpr std::array<std::string_view, 3> kLibraries = {"cuda", "hip", "cu"}; // "cuda" before "cu"
    static constexpr std::array<std::string_view, 6> kAllocate = {
        "Malloc", "MemAlloc", "HostAlloc", "HostRegister", "MemHostAlloc", "MemCreate"};
    static constexpr std::array<std::string_view, 4> kFree = {"Free", "MemFree", "HostUnregister",
                                                              "MemRelease"};
    static constexpr std::array<std::string_view, 3> kModule = {"Module", "Library", "Link"};
    for (const std::string_view library : kLibraries)
        if (startsWith(name, library)) {
            name.remove_prefix(library.size());
            break;
        }
    if (name == "LaunchHostFunc" || startsWith(name, "GraphAdd"))
        return ApiKind::Other;
    if (name == "GraphLaunch")
        return ApiKind::GraphLaunch;
    if (startsWith(name, "Launch") || name.find("LaunchKernel") != std::string_view::npos ||
        name.find("LaunchCooperative") != std::string_view::npos)
        return ApiKind::Launch;
    if (startsWith(name, "Memcpy"))
        return ApiKind::Copy;
    if (startsWith(name, "Memset"))
        return ApiKind::Set;
    if (endsWith(name, "Synchronize"))
        return ApiKind::Synchronize;
    if (startsWithAny(name, kAllocate))
        return ApiKind::Allocate;
    if (startsWithAny(name, kFree))
        return ApiKind::Free;
    return startsWithAny(name, kModule) ? ApiKind::Module : ApiKind::Other;
}

void removeRows(GpuOps& table, const std::vector<std::uint32_t>& rows) {
    forFields(table, [&](auto&... columns) { (removeFrom(columns, rows), ...); });
}

void completeTables(Trace& trace) {
    sortTables(trace);
    classifyCalls(trace);
    linkLaunches(trace);
}

} // namespace tacho
