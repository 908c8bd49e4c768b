// SPDX-License-Identifier: Apache-2.0
#include "analyzer/metrics/measurements.h"

#include "analyzer/metrics/quantile.h"

#include <algorithm>

namespace tacho {
namespace {

Interval spanOf(const Trace& trace, DeviceIndex device) {
    Interval span{TimeNs::max(), TimeNs::min()};
    for (std::size_t row = 0; row < trace.gpuOps.size(); ++row)
        if (trace.gpuOps.device[row] == device)
            span = {std::min(span.start, trace.gpuOps.start[row]), std::max(span.end, trace.gpuOps.end[row])};
    return span;
}

IntervalSet kernelTime(const Trace& trace, DeviceIndex device, Interval window) {
    IntervalSet kernels;
    for (std::size_t row = 0; row < trace.gpuOps.size(); ++row)
        if (trace.gpuOps.kind[row] == GpuOpKind::Kernel && trace.gpuOps.device[row] == device)
            kernels.append(clip(trace.gpuOps.interval(row), window));
    return kernels;
}

void measureLaunches(const Trace& trace, DeviceActivity& activity) {
    std::vector<DurationNs> kernels, calls;
    const GpuOps& ops = trace.gpuOps;
    for (std::size_t row = 0; row < ops.size(); ++row) {
        if (ops.kind[row] != GpuOpKind::Kernel || ops.device[row] != activity.whole.device ||
            ops.start[row] < activity.window.start || ops.start[row] >= activity.window.end)
            continue;
        kernels.push_back(ops.interval(row).length());
        if (ops.launch[row] != kNoRow)
            calls.push_back(trace.apiCalls.interval(ops.launch[row]).length());
    }
    activity.launchCount = static_cast<std::int64_t>(kernels.size());
    activity.medianKernel = quantile(std::move(kernels), 0.5);
    activity.medianLaunchCall = quantile(std::move(calls), 0.5);
}

DeviceActivity measureDevice(const Trace& trace, const DeviceBreakdown& whole, const StepSummary& steps,
                             const std::vector<KernelKind>& kinds) {
    DeviceActivity activity;
    const DeviceIndex device = whole.device;
    const Interval span = spanOf(trace, device);
    activity.whole = whole;
    activity.captured = span;
    activity.window = analysedWindow(steps, span);
    activity.wholeTensor = measureTensorTime(trace, kinds, device, span);
    activity.wholeIdle = explainIdleTime(trace, device, span);
    const bool isWhole = activity.window == span;
    activity.tensor =
        isWhole ? activity.wholeTensor : measureTensorTime(trace, kinds, device, activity.window);
    activity.idle = isWhole ? activity.wholeIdle : explainIdleTime(trace, device, activity.window);
    activity.steady = whole;
    if (!isWhole) {
        activity.steady = {device, whole.process, whole.rank};
        for (const DeviceBreakdown& row : breakDownDevices(trace, activity.window))
            if (row.device == device)
                activity.steady = row;
    }
    activity.copies =
        measureHostCopies(trace, device, activity.window, kernelTime(trace, device, activity.window));
    activity.copiesExposed = activity.copies.exposed;
    activity.otherWork = activity.steady.busy - activity.steady.compute -
                         activity.steady.communicationExposed - activity.copiesExposed;
    activity.memory = measureMemory(trace, device, activity.window);
    activity.kernels = totalByKernel(trace, device, activity.window);
    measureLaunches(trace, activity);
    activity.counters = summariseCounters(trace, device, activity.window);
    return activity;
}

} // namespace

Measurements measure(const Trace& trace) {
    Measurements measurements;
    measurements.steps = summariseSteps(trace);
    const std::vector<KernelKind> kinds = judgeKernelNames(trace);
    for (const DeviceBreakdown& whole : breakDownDevices(trace))
        measurements.devices.push_back(measureDevice(trace, whole, measurements.steps, kinds));
    measurements.codeLoading = measureCodeLoading(trace);
    return measurements;
}

TimeShare shareOfWindows(const Measurements& measurements,
                         const std::function<DurationNs(const DeviceActivity&)>& part) {
    DurationNs total{0}, windows{0};
    for (const DeviceActivity& activity : measurements.devices) {
        total += part(activity);
        windows += activity.steady.span;
    }
    if (windows.count() == 0)
        return {};
    return {total / static_cast<std::int64_t>(measurements.devices.size()),
            static_cast<double>(total.count()) / static_cast<double>(windows.count())};
}

} // namespace tacho
