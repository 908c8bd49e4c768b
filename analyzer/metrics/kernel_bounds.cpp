// SPDX-License-Identifier: Apache-2.0
#include "analyzer/metrics/kernel_bounds.h"

#include "analyzer/metrics/device_rows.h"

#include <algorithm>
#include <unordered_map>

namespace tacho {
namespace {

/// The three counters of one device, sampled at the same times.
struct Samples {
    const CounterSeries *read = nullptr, *write = nullptr, *tensor = nullptr;

    [[nodiscard]] bool areComplete() const {
        return read && write && tensor && read->time == write->time && read->time == tensor->time;
    }
};

Samples samplesOf(const Trace& trace, DeviceIndex device) {
    Samples samples;
    for (const CounterSeries& series : trace.counters) {
        if (series.device != device)
            continue;
        if (series.name == "DRAM Read Bandwidth [Throughput %]")
            samples.read = &series;
        else if (series.name == "DRAM Write Bandwidth [Throughput %]")
            samples.write = &series;
        else if (series.name == "Tensor Active [Throughput %]")
            samples.tensor = &series;
    }
    return samples;
}

/// Kernels that no other kernel of the device overlaps. `rows` in the order of starts.
std::vector<std::uint32_t> kernelsAlone(const GpuOps& ops, std::span<const std::uint32_t> rows) {
    std::vector<std::uint32_t> alone;
    TimeNs latestEnd = TimeNs::min();
    bool isLastAlone = false;
    for (const std::uint32_t row : rows) {
        if (ops.kind[row] != GpuOpKind::Kernel)
            continue;
        if (isLastAlone && ops.start[row] < ops.end[alone.back()])
            alone.pop_back();
        isLastAlone = ops.start[row] >= latestEnd;
        if (isLastAlone)
            alone.push_back(row);
        latestEnd = std::max(latestEnd, ops.end[row]);
    }
    return alone;
}

} // namespace

std::string_view nameOf(KernelBound bound) {
    switch (bound) {
    case KernelBound::Memory:
        return "memory";
    case KernelBound::Compute:
        return "compute";
    case KernelBound::Neither:
        break;
    }
    return "neither";
}

KernelBound SampledKernel::bound() const {
    if (dram >= kBoundShare)
        return KernelBound::Memory;
    return tensor >= kBoundShare ? KernelBound::Compute : KernelBound::Neither;
}

std::vector<SampledKernel> sampledKernels(const Trace& trace) {
    const GpuOps& ops = trace.gpuOps;
    const DeviceRows rows(trace);
    std::vector<SampledKernel> all;
    for (std::size_t index = 0; index < trace.devices.size(); ++index) {
        const auto device = static_cast<DeviceIndex>(index);
        const Samples samples = samplesOf(trace, device);
        if (!samples.areComplete())
            continue;
        std::unordered_map<StringId, SampledKernel> byName;
        std::size_t sample = 1; // the first has no beginning
        for (const std::uint32_t row : kernelsAlone(ops, rows[device])) {
            const std::vector<TimeNs>& times = samples.read->time;
            while (sample < times.size() && times[sample - 1] < ops.start[row])
                ++sample;
            for (; sample < times.size() && times[sample] <= ops.end[row]; ++sample) {
                SampledKernel& kernel = byName[ops.name[row]];
                ++kernel.samples;
                kernel.dram += samples.read->value[sample] + samples.write->value[sample];
                kernel.tensor += samples.tensor->value[sample];
            }
        }
        for (auto& [name, kernel] : byName) {
            const auto count = static_cast<double>(kernel.samples);
            all.push_back({device, name, kernel.samples, kernel.dram / count, kernel.tensor / count});
        }
    }
    std::sort(all.begin(), all.end(), [](const SampledKernel& a, const SampledKernel& b) {
        return a.samples != b.samples ? a.samples > b.samples
                                      : std::pair(a.device, a.name) < std::pair(b.device, b.name);
    });
    return all;
}

} // namespace tacho
