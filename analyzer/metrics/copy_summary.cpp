// SPDX-License-Identifier: Apache-2.0
#include "analyzer/metrics/copy_summary.h"

#include "analyzer/metrics/kernel_times.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace tacho {
namespace {

/// What the sums are made of.
struct Gathered {
    CopySummary summary;
    IntervalSet busy;
    std::int64_t largeBytes = 0;
    DurationNs largeTime{0};
};

double rate(std::int64_t bytes, DurationNs time) {
    return time.count() > 0 ? static_cast<double>(bytes) / static_cast<double>(time.count()) * 1e9 : 0;
}

std::optional<std::uint32_t> computeStream(const GpuOps& ops, std::span<const std::uint32_t> rows) {
    std::map<std::uint32_t, std::int64_t> kernels;
    for (const std::uint32_t row : rows)
        if (ops.kind[row] == GpuOpKind::Kernel)
            ++kernels[ops.stream[row]];
    const auto most = std::max_element(kernels.begin(), kernels.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    return most == kernels.end() ? std::nullopt : std::optional(most->first);
}

bool isSynchronous(const Trace& trace, std::uint32_t row) {
    const std::uint32_t call = trace.gpuOps.launch[row];
    return call != kNoRow && trace.text(trace.apiCalls.name[call]).find("Async") == std::string_view::npos;
}

void add(Gathered& to, const Trace& trace, std::uint32_t row, std::optional<std::uint32_t> stream) {
    const GpuOps& ops = trace.gpuOps;
    ++to.summary.count;
    to.summary.bytes += ops.sizeBytes[row];
    to.summary.synchronous += isSynchronous(trace, row);
    to.summary.onComputeStream += stream == ops.stream[row];
    to.busy.append(ops.interval(row));
    if (ops.sizeBytes[row] >= kLargeCopyBytes) {
        to.largeBytes += ops.sizeBytes[row];
        to.largeTime += ops.interval(row).length();
    }
}

CopySummary finish(Gathered& gathered, const IntervalSet& kernels) {
    CopySummary& summary = gathered.summary;
    summary.time = gathered.busy.totalLength();
    summary.exposed = gathered.busy.subtraction(kernels).totalLength();
    if (gathered.largeTime.count() > 0)
        summary.largeBytesPerSecond = rate(gathered.largeBytes, gathered.largeTime);
    return summary;
}

} // namespace

double CopySummary::bytesPerSecond() const {
    return rate(bytes, time);
}

std::vector<CopySummary> summariseCopies(const Trace& trace) {
    const GpuOps& ops = trace.gpuOps;
    const DeviceRows rows(trace);
    std::vector<CopySummary> summaries;
    for (std::size_t index = 0; index < trace.devices.size(); ++index) {
        const auto device = static_cast<DeviceIndex>(index);
        const std::optional<std::uint32_t> stream = computeStream(ops, rows[device]);
        std::map<std::tuple<CopyKind, MemoryKind, MemoryKind>, Gathered> byKind;
        for (const std::uint32_t row : rows[device]) {
            if (ops.kind[row] != GpuOpKind::Memcpy)
                continue;
            Gathered& own = byKind[{ops.copyKind[row], ops.srcKind[row], ops.dstKind[row]}];
            own.summary.device = device;
            own.summary.kind = ops.copyKind[row];
            own.summary.source = ops.srcKind[row];
            own.summary.destination = ops.dstKind[row];
            add(own, trace, row, stream);
        }
        const IntervalSet kernels = kernelTime(ops, rows[device]);
        for (auto& [key, gathered] : byKind)
            summaries.push_back(finish(gathered, kernels));
    }
    std::stable_sort(summaries.begin(), summaries.end(),
                     [](const CopySummary& a, const CopySummary& b) { return a.time > b.time; });
    return summaries;
}

} // namespace tacho
