// SPDX-License-Identifier: Apache-2.0
#include "analyzer/metrics/kernel_times.h"

#include "analyzer/metrics/communication_kernel.h"
#include "analyzer/metrics/kernel_code.h"
#include "analyzer/metrics/quantile.h"

#include <algorithm>
#include <unordered_map>

namespace tacho {
namespace {

bool isKernelIn(const GpuOps& ops, std::size_t row, Interval window) {
    return ops.kind[row] == GpuOpKind::Kernel && ops.start[row] < window.end && ops.end[row] > window.start;
}

KernelKind judgeKernel(std::string_view name, const CodeUse& code) {
    return {settledBy(code, TensorGrammar::builtIn().classify(name)), isCommunicationKernel(name),
            code.tensorClass.has_value()};
}

} // namespace

std::vector<KernelKind> judgeKernelNames(const Trace& trace) {
    std::vector<KernelKind> kinds(trace.strings.size());
    std::vector<bool> judged(kinds.size());
    const auto codes = codeUses(trace);
    for (std::size_t row = 0; row < trace.gpuOps.size(); ++row) {
        const auto id = static_cast<std::size_t>(trace.gpuOps.name[row]);
        if (judged[id] || trace.gpuOps.kind[row] != GpuOpKind::Kernel)
            continue;
        judged[id] = true;
        const auto code = codes.find(trace.gpuOps.name[row]);
        kinds[id] =
            judgeKernel(trace.text(trace.gpuOps.name[row]), code == codes.end() ? CodeUse{} : code->second);
    }
    return kinds;
}

IntervalSet kernelTime(const GpuOps& ops, std::span<const std::uint32_t> rows) {
    IntervalSet kernels;
    kernels.reserve(rows.size());
    for (const std::uint32_t row : rows)
        if (ops.kind[row] == GpuOpKind::Kernel)
            kernels.append(ops.interval(row));
    return kernels;
}

TensorTime measureTensorTime(const Trace& trace, const std::vector<KernelKind>& kinds,
                             std::span<const std::uint32_t> rows, Interval window) {
    IntervalSet tensor, notTensor, unknown, movable;
    for (IntervalSet* const set : {&tensor, &notTensor, &unknown, &movable})
        set->reserve(rows.size());
    for (const std::uint32_t row : rows) {
        if (!isKernelIn(trace.gpuOps, row, window))
            continue;
        const KernelKind& kind = kinds[static_cast<std::size_t>(trace.gpuOps.name[row])];
        if (kind.isCommunication)
            continue;
        const Interval inside = clip(trace.gpuOps.interval(row), window);
        switch (kind.use.tensorClass) {
        case TensorClass::Tensor:
            tensor.append(inside);
            break;
        case TensorClass::NotTensor:
            notTensor.append(inside);
            break;
        case TensorClass::Unknown:
            unknown.append(inside);
            break;
        }
        if (kind.use.couldUseTensorCores())
            movable.append(inside);
    }
    return {tensor.totalLength(), notTensor.totalLength(), unknown.totalLength(), movable.totalLength()};
}

std::vector<KernelTotal> totalByKernel(const Trace& trace, std::span<const std::uint32_t> rows,
                                       Interval window) {
    std::unordered_map<StringId, std::vector<DurationNs>> durations;
    for (const std::uint32_t row : rows)
        if (isKernelIn(trace.gpuOps, row, window) && trace.gpuOps.start[row] >= window.start)
            durations[trace.gpuOps.name[row]].push_back(trace.gpuOps.interval(row).length());
    std::vector<KernelTotal> totals;
    for (auto& [name, values] : durations) {
        KernelTotal total{name, static_cast<std::int64_t>(values.size()), DurationNs{0}, DurationNs{0}};
        for (const DurationNs value : values)
            total.total += value;
        total.median = quantile(std::move(values), 0.5);
        totals.push_back(total);
    }
    std::sort(totals.begin(), totals.end(), [](const KernelTotal& a, const KernelTotal& b) {
        return a.total != b.total ? a.total > b.total : a.name < b.name;
    });
    return totals;
}

} // namespace tacho
