// SPDX-License-Identifier: Apache-2.0
#include "analyzer/metrics/overlap_slowdown.h"

#include "analyzer/metrics/quantile.h"

#include <map>

namespace tacho {
namespace {

struct SameKernels {
    std::vector<DurationNs> alone;
    std::int64_t besideCount = 0;
    DurationNs beside{0};
};

bool isCommunication(const GpuOps& ops, std::uint32_t row, const std::vector<KernelKind>& kinds) {
    return kinds[static_cast<std::size_t>(ops.name[row])].isCommunication;
}

} // namespace

std::optional<OverlapSlowdown> measureOverlapSlowdown(const Trace& trace,
                                                      const std::vector<KernelKind>& kinds,
                                                      std::span<const std::uint32_t> rows) {
    const GpuOps& ops = trace.gpuOps;
    IntervalSet communication;
    for (const std::uint32_t row : rows)
        if (ops.kind[row] == GpuOpKind::Kernel && isCommunication(ops, row, kinds))
            communication.append(ops.interval(row));
    if (communication.empty())
        return std::nullopt;
    std::map<std::pair<StringId, std::uint32_t>, SameKernels> all;
    for (const std::uint32_t row : rows) {
        if (ops.kind[row] != GpuOpKind::Kernel || isCommunication(ops, row, kinds))
            continue;
        SameKernels& same = all[{ops.name[row], ops.shape[row]}];
        const Interval interval = ops.interval(row);
        const DurationNs covered = communication.coveredLength(interval);
        if (covered.count() == 0) {
            same.alone.push_back(interval.length());
        } else if (2 * covered >= interval.length()) {
            ++same.besideCount;
            same.beside += interval.length();
        }
    }
    OverlapSlowdown slowdown;
    for (auto& [key, same] : all) {
        if (same.besideCount == 0 || same.alone.size() < kLeastAlone)
            continue;
        slowdown.kernels += same.besideCount;
        slowdown.beside += same.beside;
        slowdown.alone += same.besideCount * quantile(std::move(same.alone), 0.5);
    }
    return slowdown.alone.count() > 0 ? std::optional(slowdown) : std::nullopt;
}

} // namespace tacho
