// SPDX-License-Identifier: Apache-2.0
// GPU idle because the host had not launched the next kernel yet, or launches arrive one by one.
#include "analyzer/rules/all_rules.h"
#include "analyzer/rules/quantity_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace tacho {
namespace {

DurationNs hostLateness(const DeviceActivity& activity) {
    return activity.idle.length(IdleCause::HostLaunch) + activity.idle.length(IdleCause::LaunchLatency);
}

const DeviceActivity& mostIdleDevice(const Measurements& measurements) {
    return *std::max_element(
        measurements.devices.begin(), measurements.devices.end(),
        [](const DeviceActivity& a, const DeviceActivity& b) { return hostLateness(a) < hostLateness(b); });
}

std::optional<Interval> longest(const IntervalSet& gaps) {
    const auto all = gaps.intervals();
    if (all.empty())
        return std::nullopt;
    return *std::max_element(all.begin(), all.end(),
                             [](const Interval& a, const Interval& b) { return a.length() < b.length(); });
}

} // namespace

std::optional<Finding> checkHostBound(const Trace&, const Measurements& measurements) {
    auto finding = makeFinding("host_bound", shareOfWindows(measurements, hostLateness));
    if (!finding)
        return std::nullopt;
    const DeviceActivity& worst = mostIdleDevice(measurements);
    const auto kernels = std::max<std::int64_t>(worst.launchCount, 1);
    const DurationNs wallPerKernel = worst.window.length() / kernels;
    finding->title = fmt::format("The GPU waits {} of the time for the host to launch work",
                                 percentText(finding->atMost.share));
    finding->evidence.insert(finding->evidence.end(),
                             {{"kernels", worst.launchCount},
                              {"median_kernel_ns", std::int64_t{worst.medianKernel.count()}},
                              {"median_launch_call_ns", std::int64_t{worst.medianLaunchCall.count()}},
                              {"wall_per_kernel_ns", std::int64_t{wallPerKernel.count()}}});
    finding->where = longest(worst.idle[IdleCause::HostLaunch]);
    if (worst.medianKernel < wallPerKernel / 2)
        finding->advice = {
            "Launch less: torch.compile (JAX: jit, TF: XLA) fuses small kernels; CUDA graphs "
            "(mode=\"reduce-overhead\") replay a step with one launch.",
            "Give each launch more work: a larger batch, foreach or fused=True optimizers.",
            "AMP adds cast kernels to launch: expect little or a loss until the host is faster."};
    else
        finding->advice = {
            "Move host work (logging, metrics, Python between batches) off the training loop, or "
            "overlap it with GPU work."};
    return finding;
}

} // namespace tacho
