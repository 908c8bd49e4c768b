// SPDX-License-Identifier: Apache-2.0
// GPU idle because the host had not launched the next kernel yet, or launches arrive one by one.
#include "analyzer/rules/all_rules.h"
#include "analyzer/rules/quantity_text.h"
#include "analyzer/rules/training_facts.h"

#include <fmt/format.h>

#include <algorithm>

namespace tacho {
namespace {

/// Share of the GPU's memory above which no larger batch is proposed.
constexpr double kFullMemory = 0.8;

DurationNs hostLateness(const DeviceActivity& activity) {
    return activity.idle.length(IdleCause::HostLaunch) + activity.idle.length(IdleCause::LaunchLatency);
}

const DeviceActivity& mostIdleDevice(const Measurements& measurements) {
    return *std::max_element(
        measurements.devices.begin(), measurements.devices.end(),
        [](const DeviceActivity& a, const DeviceActivity& b) { return hostLateness(a) < hostLateness(b); });
}

/// Room for a larger batch, where the hook knows it: "" if the GPU's memory is nearly full.
std::string largerBatchText(const TrainingFacts& facts) {
    const auto peak = facts.number("memory.peak_reserved_bytes"), total = facts.number("memory.total_bytes");
    if (!peak || !total || *total <= 0)
        return "a larger batch";
    const double used = static_cast<double>(*peak) / static_cast<double>(*total);
    return used > kFullMemory ? ""
                              : fmt::format("a larger batch ({:.0f} % of the GPU's {} are in use)",
                                            100 * used, bytesText(*total));
}

std::string moreWorkAdvice(Framework framework, const TrainingFacts& facts) {
    std::string ways = largerBatchText(facts);
    if (framework != Framework::Other && !facts.isOn("optimizer.fused"))
        ways += std::string(ways.empty() ? "" : ", ") + "an optimizer with fused=True";
    return ways.empty() ? "" : "Give each launch more work: " + ways + ".";
}

std::string fusionAdvice(Framework framework, const TrainingFacts& facts) {
    const auto mode = facts.text("compile.mode");
    if (mode == "reduce-overhead" || mode == "max-autotune")
        return fmt::format(
            "torch.compile(mode=\"{}\") is used, yet launches come one by one: look for graph breaks "
            "and recompilations (TORCH_LOGS=graph_breaks,recompiles).",
            *mode);
    if (facts.isOn("compile.seen"))
        return "Launch less: torch.compile is used; with mode=\"reduce-overhead\" it also replays a step as "
               "one CUDA graph.";
    if (framework == Framework::Other)
        return "Launch less: capture the step as a CUDA graph and launch that (JAX: jit, TF: XLA); fuse "
               "small "
               "kernels.";
    return "Launch less: torch.compile (JAX: jit, TF: XLA) fuses small kernels; CUDA graphs "
           "(mode=\"reduce-overhead\") replay a step with one launch.";
}

std::vector<std::string> adviceForManyKernels(Framework framework, const TrainingFacts& facts, bool isMinor) {
    std::vector<std::string> advice = {fusionAdvice(framework, facts)};
    if (const std::string more = moreWorkAdvice(framework, facts); !more.empty())
        advice.insert(isMinor ? advice.begin() : advice.end(), more);
    advice.push_back(
        facts.isOn("autocast.seen")
            ? "AMP is on and adds cast kernels to launch: compare with TF32 alone."
            : "AMP adds cast kernels to launch: expect little or a loss until the host is faster.");
    return advice;
}

} // namespace

std::optional<Finding> checkHostBound(const Trace& trace, const Measurements& measurements) {
    auto finding = makeFinding("host_bound", shareOfWindows(measurements, hostLateness));
    if (!finding)
        return std::nullopt;
    const DeviceActivity& worst = mostIdleDevice(measurements);
    const auto kernels = std::max<std::int64_t>(worst.launchCount, 1);
    const DurationNs wallPerKernel = worst.steady.span / kernels;
    const bool isMinor = finding->severity != FindingSeverity::Critical;
    const std::string share = percentText(finding->atMost.share);
    finding->title = isMinor ? fmt::format("In small gaps, {} of the time, the GPU waits for launches", share)
                             : fmt::format("The GPU waits {} of the time for the host to launch work", share);
    finding->evidence.insert(finding->evidence.end(),
                             {{"kernels", worst.launchCount},
                              {"median_kernel_ns", std::int64_t{worst.medianKernel.count()}},
                              {"median_launch_call_ns", std::int64_t{worst.medianLaunchCall.count()}},
                              {"wall_per_kernel_ns", std::int64_t{wallPerKernel.count()}}});
    finding->where = worst.idle[IdleCause::HostLaunch].longest();
    if (worst.medianKernel < wallPerKernel / 2)
        finding->advice = adviceForManyKernels(frameworkOf(trace, worst), factsOf(trace, worst), isMinor);
    else
        finding->advice = {
            "Move host work (logging, metrics, Python between batches) off the training loop, or "
            "overlap it with GPU work."};
    return finding;
}

} // namespace tacho
