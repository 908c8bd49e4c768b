// SPDX-License-Identifier: Apache-2.0
#include "analyzer/metrics/op_summary.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace tacho {

std::string_view copyLabel(CopyKind kind) {
    switch (kind) {
    case CopyKind::Unknown:
        break;
    case CopyKind::HostToDevice:
        return "[CUDA memcpy Host-to-Device]";
    case CopyKind::DeviceToHost:
        return "[CUDA memcpy Device-to-Host]";
    case CopyKind::HostToArray:
        return "[CUDA memcpy Host-to-Array]";
    case CopyKind::ArrayToHost:
        return "[CUDA memcpy Array-to-Host]";
    case CopyKind::ArrayToArray:
        return "[CUDA memcpy Array-to-Array]";
    case CopyKind::ArrayToDevice:
        return "[CUDA memcpy Array-to-Device]";
    case CopyKind::DeviceToArray:
        return "[CUDA memcpy Device-to-Array]";
    case CopyKind::DeviceToDevice:
        return "[CUDA memcpy Device-to-Device]";
    case CopyKind::HostToHost:
        return "[CUDA memcpy Host-to-Host]";
    case CopyKind::PeerToPeer:
        return "[CUDA memcpy Peer-to-Peer]";
    case CopyKind::UnifiedHostToDevice:
        return "[CUDA memcpy Unified Host-to-Device]";
    case CopyKind::UnifiedDeviceToHost:
        return "[CUDA memcpy Unified Device-to-Host]";
    case CopyKind::UnifiedDeviceToDevice:
        return "[CUDA memcpy Unified Device-to-Device]";
    }
    return "[CUDA memcpy]";
}

namespace {

using Values = std::vector<std::int64_t>;

constexpr std::int64_t number(DurationNs value) {
    return value.count();
}
constexpr std::int64_t number(std::int64_t value) {
    return value;
}

/// REQUIRES values not empty; leaves them in another order.
double medianOf(Values& values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    const auto upper = static_cast<double>(*middle);
    if (values.size() % 2 == 1)
        return upper;
    return (upper + static_cast<double>(*std::max_element(values.begin(), middle))) / 2;
}

double stddevOf(const Values& values, double mean) {
    if (values.size() < 2)
        return 0;
    double squares = 0;
    for (const auto value : values)
        squares += (static_cast<double>(value) - mean) * (static_cast<double>(value) - mean);
    return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

template <class Value>
Summary<Value> summarize(std::string_view name, Values values) {
    Summary<Value> summary;
    summary.name = name;
    summary.count = static_cast<std::int64_t>(values.size());
    const auto [smallest, largest] = std::minmax_element(values.begin(), values.end());
    summary.min = Value{*smallest};
    summary.max = Value{*largest};
    const auto total = std::accumulate(values.begin(), values.end(), std::int64_t{0});
    summary.total = Value{total};
    summary.mean = static_cast<double>(total) / static_cast<double>(values.size());
    summary.stddev = stddevOf(values, summary.mean);
    summary.median = medianOf(values);
    return summary;
}

template <class Value>
void sortLargestFirst(std::vector<Summary<Value>>& summaries) {
    std::sort(summaries.begin(), summaries.end(), [](const auto& a, const auto& b) {
        return number(a.total) != number(b.total) ? number(a.total) > number(b.total) : a.name < b.name;
    });
}

/// By string id, which is dense: an array beats a hash on millions of rows.
std::vector<TimeSummary> summarizeByName(const Trace& trace, std::vector<Values>& valuesOfName) {
    std::vector<TimeSummary> summaries;
    for (std::uint32_t id = 0; id < valuesOfName.size(); ++id)
        if (!valuesOfName[id].empty())
            summaries.push_back(summarize<DurationNs>(trace.text(StringId{id}), std::move(valuesOfName[id])));
    sortLargestFirst(summaries);
    return summaries;
}

std::string_view memoryLabel(const GpuOps& ops, std::size_t row) {
    return ops.kind[row] == GpuOpKind::Memset ? "[CUDA memset]" : copyLabel(ops.copyKind[row]);
}

template <class Value, class ValueOf>
std::vector<Summary<Value>> summarizeMemory(const GpuOps& ops, ValueOf valueOf) {
    std::map<std::string_view, Values> valuesOfLabel;
    for (std::size_t row = 0; row < ops.size(); ++row)
        if (ops.kind[row] != GpuOpKind::Kernel)
            valuesOfLabel[memoryLabel(ops, row)].push_back(valueOf(row));
    std::vector<Summary<Value>> summaries;
    summaries.reserve(valuesOfLabel.size());
    for (auto& [label, values] : valuesOfLabel)
        summaries.push_back(summarize<Value>(label, std::move(values)));
    sortLargestFirst(summaries);
    return summaries;
}

} // namespace

std::string gpuOpName(const Trace& trace, std::size_t row) {
    const GpuOps& ops = trace.gpuOps;
    return std::string(ops.kind[row] == GpuOpKind::Kernel ? trace.text(ops.name[row])
                                                          : memoryLabel(ops, row));
}

TimeSummary summarizeTimes(std::string name, std::vector<std::int64_t> values) {
    return summarize<DurationNs>(name, std::move(values));
}

std::vector<TimeSummary> summarizeKernels(const Trace& trace) {
    const auto& ops = trace.gpuOps;
    std::vector<Values> valuesOfName(trace.strings.size());
    for (std::size_t row = 0; row < ops.size(); ++row)
        if (ops.kind[row] == GpuOpKind::Kernel)
            valuesOfName[static_cast<std::uint32_t>(ops.name[row])].push_back(
                ops.interval(row).length().count());
    return summarizeByName(trace, valuesOfName);
}

std::vector<TimeSummary> summarizeMemoryTime(const Trace& trace) {
    return summarizeMemory<DurationNs>(
        trace.gpuOps, [&](std::size_t row) { return trace.gpuOps.interval(row).length().count(); });
}

std::vector<SizeSummary> summarizeMemorySize(const Trace& trace) {
    return summarizeMemory<std::int64_t>(trace.gpuOps,
                                         [&](std::size_t row) { return trace.gpuOps.sizeBytes[row]; });
}

std::vector<TimeSummary> summarizeApiCalls(const Trace& trace) {
    const auto& calls = trace.apiCalls;
    std::vector<Values> valuesOfName(trace.strings.size());
    for (std::size_t row = 0; row < calls.size(); ++row)
        valuesOfName[static_cast<std::uint32_t>(calls.name[row])].push_back(
            calls.interval(row).length().count());
    return summarizeByName(trace, valuesOfName);
}

} // namespace tacho
