// SPDX-License-Identifier: Apache-2.0
#include "analyzer/metrics/step_breakdown.h"

#include <algorithm>
#include <numeric>

namespace tacho {
namespace {

constexpr std::size_t kWorkClasses = static_cast<std::size_t>(StepClass::FirstIdle);
using WorkSets = std::array<IntervalSet, kWorkClasses>;

StepClass workClassOf(const GpuOps& ops, std::size_t row, const std::vector<KernelKind>& kinds) {
    if (ops.kind[row] == GpuOpKind::Kernel)
        return kernelClassOf(kinds[static_cast<std::size_t>(ops.name[row])]);
    if (ops.kind[row] == GpuOpKind::Memcpy && ops.copyKind[row] == CopyKind::HostToDevice)
        return StepClass::HostToDevice;
    if (ops.kind[row] == GpuOpKind::Memcpy && ops.copyKind[row] == CopyKind::DeviceToHost)
        return StepClass::DeviceToHost;
    return StepClass::OtherMemory;
}

/// REQUIRES steps in the order of time; they may overlap.
void addTo(std::vector<StepTime>& steps, StepClass part, const IntervalSet& set) {
    auto piece = set.intervals().begin();
    for (StepTime& step : steps) {
        while (piece != set.intervals().end() && piece->end <= step.interval.start)
            ++piece;
        for (auto next = piece; next != set.intervals().end() && next->start < step.interval.end; ++next)
            step.parts[static_cast<std::size_t>(part)] += clip(*next, step.interval).length();
    }
}

/// What is left of a step is outside of the recorded time; or before the first or after the last gap that has
/// work to end it, and then without a cause.
void addRest(std::vector<StepTime>& steps, const IntervalSet& recorded) {
    std::vector<StepTime> inside = steps;
    for (StepTime& step : inside)
        step.parts = {};
    addTo(inside, StepClass::NotRecorded, recorded);
    for (std::size_t i = 0; i < steps.size(); ++i) {
        StepParts& parts = steps[i].parts;
        const DurationNs told = totalOf(parts);
        const DurationNs known = inside[i].parts[static_cast<std::size_t>(StepClass::NotRecorded)];
        parts[static_cast<std::size_t>(stepClassOf(IdleCause::NoData))] += known - told;
        parts[static_cast<std::size_t>(StepClass::NotRecorded)] = steps[i].interval.length() - known;
    }
}

} // namespace

std::string_view nameOf(StepClass of) {
    static constexpr std::array<std::string_view, kStepClasses> kNames = {
        "tensor_kernel",        "other_kernel",       "unknown_kernel",
        "communication",        "rank_wait",          "host_to_device",
        "device_to_host",       "other_memory",       "idle_module_load",
        "idle_profiler",        "idle_blocking_copy", "idle_launch_latency",
        "idle_dependency_wait", "idle_no_data",       "idle_host_communication",
        "idle_data_loading",    "idle_allocation",    "idle_synchronisation",
        "idle_api_call",        "idle_host_launch",   "not_recorded"};
    return kNames[static_cast<std::size_t>(of)];
}

std::string_view titleOf(StepClass of) {
    static constexpr std::array<std::string_view, kStepClasses> kTitles = {
        "tensor kernels", "other kernels",  "unknown kernels",   "communication",   "wait for a rank",
        "copies to GPU",  "copies to host", "other memory work", "loading code",    "profiler",
        "blocking copy",  "launch latency", "dependency wait",   "unexplained",     "host communication",
        "data loading",   "allocation",     "synchronisation",   "other CUDA call", "host code",
        "not recorded"};
    return kTitles[static_cast<std::size_t>(of)];
}

DurationNs totalOf(const StepParts& parts) {
    return std::accumulate(parts.begin(), parts.end(), DurationNs{0});
}

StepClass kernelClassOf(const KernelKind& kind) {
    if (kind.isCommunication)
        return StepClass::Communication;
    switch (kind.use.tensorClass) {
    case TensorClass::Tensor:
        return StepClass::TensorKernel;
    case TensorClass::NotTensor:
        return StepClass::OtherKernel;
    case TensorClass::Unknown:
        break;
    }
    return StepClass::UnknownKernel;
}

std::vector<StepTime> recordedSteps(const Trace& trace, const StepSummary& summary, ProcessIndex process) {
    std::vector<StepTime> steps;
    for (const StepMark& mark : trace.steps)
        if (mark.process == process && mark.profiled)
            steps.push_back({mark.index, mark.interval, {}});
    if (!steps.empty())
        return steps;
    for (const StepMark& mark : summary.steps)
        if (mark.profiled)
            steps.push_back({mark.index, mark.interval, {}});
    return steps;
}

void breakDownSteps(std::vector<StepTime>& steps, const Trace& trace, const std::vector<KernelKind>& kinds,
                    std::span<const std::uint32_t> rows, const IntervalSet& recorded, const IdleTime& idle,
                    const IntervalSet& rankWait) {
    WorkSets work;
    for (IntervalSet& set : work)
        set.reserve(rows.size());
    for (const std::uint32_t row : rows)
        work[static_cast<std::size_t>(workClassOf(trace.gpuOps, row, kinds))].append(
            trace.gpuOps.interval(row));
    IntervalSet& communication = work[static_cast<std::size_t>(StepClass::Communication)];
    work[static_cast<std::size_t>(StepClass::RankWait)] = communication.intersection(rankWait);
    communication = communication.subtraction(rankWait);
    IntervalSet taken;
    for (std::size_t part = 0; part < kWorkClasses; ++part) {
        addTo(steps, static_cast<StepClass>(part), work[part].subtraction(taken));
        taken = taken.unionWith(work[part]);
    }
    for (std::size_t cause = 0; cause < kIdleCauses; ++cause)
        addTo(steps, stepClassOf(static_cast<IdleCause>(cause)), idle.parts[cause]);
    addRest(steps, recorded);
}

StepParts meanParts(std::span<const StepTime> steps, std::int64_t first, std::int64_t last) {
    StepParts mean{};
    std::int64_t count = 0;
    for (const StepTime& step : steps) {
        if (step.index < first || step.index > last)
            continue;
        ++count;
        for (std::size_t part = 0; part < kStepClasses; ++part)
            mean[part] += step.parts[part];
    }
    for (DurationNs& part : mean)
        part /= std::max<std::int64_t>(count, 1);
    return mean;
}

} // namespace tacho
