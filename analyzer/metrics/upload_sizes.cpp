// SPDX-License-Identifier: Apache-2.0
#include "analyzer/metrics/upload_sizes.h"

#include "analyzer/metrics/step_breakdown.h"
#include "analyzer/metrics/steps.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace tacho {
namespace {

std::vector<Interval> analysedSteps(const Trace& trace, const StepSummary& summary, ProcessIndex process) {
    std::vector<Interval> steps;
    for (const StepTime& step : recordedSteps(trace, summary, process))
        if (step.index >= summary.firstSteady && step.index <= summary.lastSteady)
            steps.push_back(step.interval);
    return steps;
}

/// Index of the step that holds the time; the number of steps if none does.
std::size_t stepAt(const std::vector<Interval>& steps, TimeNs time) {
    const auto next = std::partition_point(steps.begin(), steps.end(),
                                           [&](const Interval& step) { return step.end <= time; });
    return next == steps.end() || time < next->start ? steps.size()
                                                     : static_cast<std::size_t>(next - steps.begin());
}

struct Gathered {
    UploadSize upload;
    std::size_t lastStep = 0;
};

} // namespace

std::vector<UploadSize> uploadSizes(const Trace& trace) {
    const StepSummary summary = summariseSteps(trace, {});
    std::map<ProcessIndex, std::vector<Interval>> stepsOf;
    for (const Device& device : trace.devices)
        if (!stepsOf.contains(device.process))
            stepsOf.emplace(device.process, analysedSteps(trace, summary, device.process));
    std::map<std::tuple<DeviceIndex, MemoryKind, std::int64_t>, Gathered> all;
    const GpuOps& ops = trace.gpuOps;
    for (std::size_t row = 0; row < ops.size(); ++row) {
        if (ops.kind[row] != GpuOpKind::Memcpy || ops.copyKind[row] != CopyKind::HostToDevice)
            continue;
        const auto& steps = stepsOf.at(trace.devices[static_cast<std::size_t>(ops.device[row])].process);
        const std::size_t step = stepAt(steps, ops.start[row]);
        if (step == steps.size())
            continue;
        Gathered& own = all[{ops.device[row], ops.srcKind[row], ops.sizeBytes[row]}];
        UploadSize& upload = own.upload;
        std::tie(upload.device, upload.source, upload.bytes) =
            std::tie(ops.device[row], ops.srcKind[row], ops.sizeBytes[row]);
        upload.analysedSteps = static_cast<std::int64_t>(steps.size());
        upload.steps += upload.count == 0 || own.lastStep != step;
        own.lastStep = step;
        ++upload.count;
        upload.time += ops.interval(row).length();
    }
    std::vector<UploadSize> uploads;
    for (const auto& [key, own] : all)
        uploads.push_back(own.upload);
    std::stable_sort(uploads.begin(), uploads.end(), [](const UploadSize& a, const UploadSize& b) {
        return a.bytes * a.count > b.bytes * b.count;
    });
    return uploads;
}

} // namespace tacho
