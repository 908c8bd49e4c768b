// SPDX-License-Identifier: Apache-2.0
#include "analyzer/metrics/measurements.h"

#include "analyzer/metrics/quantile.h"
#include "analyzer/metrics/recorded_time.h"

#include <algorithm>
#include <future>

namespace tacho {
namespace {

/// What is gathered once for all devices.
struct Gathered {
    explicit Gathered(const Trace& trace)
        : rows(trace), kinds(judgeKernelNames(trace)), recorded(recordedTime(trace)),
          idle(trace, rows, recorded), phases(trace), collectives(listCollectives(trace, rows, kinds)) {}

    DeviceRows rows;
    std::vector<KernelKind> kinds;
    std::vector<IntervalSet> recorded;
    IdleExplainer idle;
    PhaseTimes phases;
    std::vector<CollectiveRun> collectives;
};

Interval spanOf(const GpuOps& ops, std::span<const std::uint32_t> rows) {
    Interval span{TimeNs::max(), TimeNs::min()};
    for (const std::uint32_t row : rows)
        span = {std::min(span.start, ops.start[row]), std::max(span.end, ops.end[row])};
    return span;
}

void measureLaunches(const Trace& trace, std::span<const std::uint32_t> rows, DeviceActivity& activity) {
    std::vector<DurationNs> kernels, calls;
    const GpuOps& ops = trace.gpuOps;
    for (const std::uint32_t row : rows) {
        if (ops.kind[row] != GpuOpKind::Kernel || ops.start[row] < activity.window.start ||
            ops.start[row] >= activity.window.end)
            continue;
        kernels.push_back(ops.interval(row).length());
        if (ops.launch[row] != kNoRow)
            calls.push_back(trace.apiCalls.interval(ops.launch[row]).length());
    }
    activity.launchCount = static_cast<std::int64_t>(kernels.size());
    activity.medianKernel = quantile(std::move(kernels), 0.5);
    activity.medianLaunchCall = quantile(std::move(calls), 0.5);
}

/// The analysed steps; without steps the recorded time of the window.
IntervalSet hostTime(const StepSummary& steps, const DeviceActivity& activity, const IntervalSet& recorded) {
    std::vector<Interval> analysed;
    for (const StepTime& step : activity.steps)
        if (step.index >= steps.firstSteady && step.index <= steps.lastSteady)
            analysed.push_back(step.interval);
    return analysed.empty() ? recorded.clipped(activity.window) : IntervalSet::unite(std::move(analysed));
}

/// Without steps the analysed time stands for one.
StepParts usualParts(const Trace& trace, const Gathered& gathered, const StepSummary& steps,
                     const DeviceActivity& activity) {
    if (!activity.steps.empty())
        return meanParts(activity.steps, steps.firstSteady, steps.lastSteady);
    std::vector<StepTime> one = {{0, activity.window, {}}};
    breakDownSteps(one, trace, gathered.kinds, gathered.rows[activity.whole.device],
                   gathered.recorded[static_cast<std::size_t>(activity.whole.device)], activity.wholeIdle,
                   waitForRanks(gathered.collectives, activity.whole.device));
    return one.front().parts;
}

/// All of the window but why the device was idle in it.
void measureWork(const Trace& trace, const Gathered& gathered, const StepSummary& steps,
                 DeviceActivity& activity) {
    const DeviceIndex device = activity.whole.device;
    const IntervalSet& recorded = gathered.recorded[static_cast<std::size_t>(device)];
    const auto rows = gathered.rows[device];
    const bool isWhole = activity.window == activity.captured;
    activity.tensor =
        isWhole ? activity.wholeTensor : measureTensorTime(trace, gathered.kinds, rows, activity.window);
    activity.steady = isWhole
                          ? activity.whole
                          : breakDownDevice(trace, device, rows, gathered.kinds, recorded, activity.window);
    activity.copies = measureHostCopies(trace, rows, activity.window,
                                        kernelTime(trace.gpuOps, rows).clipped(activity.window));
    activity.copiesExposed = activity.copies.exposed;
    activity.otherWork = activity.steady.busy - activity.steady.compute -
                         activity.steady.communicationExposed - activity.copiesExposed -
                         activity.copies.peer.exposed;
    activity.phases =
        gathered.phases.split(trace, device, rows, activity.window, hostTime(steps, activity, recorded));
    activity.memory = measureMemory(trace, device, activity.window);
    activity.kernels = totalByKernel(trace, rows, activity.window);
    measureLaunches(trace, rows, activity);
    activity.counters = summariseCounters(trace, device, activity.window);
}

DeviceActivity measureDevice(const Trace& trace, const Gathered& gathered, const StepSummary& steps,
                             const DeviceBreakdown& whole) {
    DeviceActivity activity;
    const auto rows = gathered.rows[whole.device];
    activity.whole = whole;
    activity.captured = spanOf(trace.gpuOps, rows);
    activity.window = analysedWindow(steps, activity.captured);
    // Half of the work of a big trace; the trace does not change any more.
    auto idle = std::async(std::launch::async,
                           [&] { return gathered.idle.explain(whole.device, activity.captured); });
    activity.wholeTensor = measureTensorTime(trace, gathered.kinds, rows, activity.captured);
    activity.steps = recordedSteps(trace, steps, whole.process);
    activity.slowdown = measureOverlapSlowdown(trace, gathered.kinds, rows);
    measureWork(trace, gathered, steps, activity);
    activity.wholeIdle = idle.get();
    activity.idle = activity.wholeIdle.clipped(activity.window);
    breakDownSteps(activity.steps, trace, gathered.kinds, rows,
                   gathered.recorded[static_cast<std::size_t>(whole.device)], activity.wholeIdle,
                   waitForRanks(gathered.collectives, whole.device));
    activity.variation = measureVariation(activity.steps, steps.firstSteady, steps.lastSteady);
    activity.usual = usualParts(trace, gathered, steps, activity);
    return activity;
}

} // namespace

Measurements measure(const Trace& trace, std::optional<StepRange> range) {
    Measurements measurements;
    measurements.steps = summariseSteps(trace, range);
    const Gathered gathered(trace);
    for (const DeviceBreakdown& whole :
         breakDownDevices(trace, gathered.rows, gathered.kinds, gathered.recorded))
        measurements.devices.push_back(measureDevice(trace, gathered, measurements.steps, whole));
    measurements.collectives = summariseCollectives(gathered.collectives);
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
