// SPDX-License-Identifier: Apache-2.0
// GPU idle because the host had not launched the next kernel yet: launches arrive one by one, or pause.
#include "analyzer/metrics/host_pauses.h"
#include "analyzer/rules/all_rules.h"
#include "analyzer/rules/data_loading.h"
#include "analyzer/rules/quantity_text.h"
#include "analyzer/rules/training_facts.h"

#include <fmt/format.h>

#include <algorithm>

namespace tacho {
namespace {

/// Share of the GPU's memory above which no larger batch is proposed.
constexpr double kFullMemory = 0.8;

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

/// Unprofiled launches take 2 us to 10 us, under a profiler up to 20 us; a call that takes longer than this
/// is held up by something else.
constexpr DurationNs kSlowLaunchCall{40'000};

/// "" if launch calls are as short as usual, or the run itself has measured what recording costs.
std::string slowCallsText(const Measurements& measurements, const DeviceActivity& activity) {
    if (activity.medianLaunchCall < kSlowLaunchCall || measurements.steps.recordingCost)
        return "";
    return fmt::format(
        "The median launch call takes {}, usual are 3 us to 20 us: the recording itself, or a busy "
        "machine, slows this run down. Compare its step time with that of a run without a profiler.",
        durationText(activity.medianLaunchCall));
}

std::vector<std::string> adviceForPauses(const Trace& trace, const DeviceActivity& activity,
                                         const HostPauses& pauses) {
    const auto work = workIn(trace, activity.whole.process, *pauses.longest);
    const std::string known =
        work ? fmt::format("in the longest it is in {} for {}", work->name, durationText(work->time))
             : "ranges around the parts of the loop (NVTX, record_function) name it";
    std::vector<std::string> advice = {fmt::format(
        "In the pauses the host launches nothing: find what it does instead, {}. Move that (logging, "
        "metrics, checkpoints, collating) off the training loop, or overlap it with GPU work.",
        known)};
    if (loadingTime(trace).calls == 0)
        advice.push_back(
            "If batches are read or prepared there: do that ahead, in other processes or threads "
            "(DataLoader(num_workers=N), tf.data .prefetch()), and at the size that is used.");
    return advice;
}

std::string titleOf(const Finding& finding, const HostPauses& pauses) {
    const std::string share = percentText(finding.atMost.share);
    if (pauses.dominate)
        return fmt::format("The GPU waits {} of the time, mostly in {}", share,
                           countText(pauses.count, "host pause"));
    return finding.severity == FindingSeverity::Critical
               ? fmt::format("The GPU waits {} of the time for the host to launch work", share)
               : fmt::format("In small gaps, {} of the time, the GPU waits for launches", share);
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
    const HostPauses pauses = pausesOf(worst);
    finding->title = titleOf(*finding, pauses);
    finding->evidence.insert(finding->evidence.end(),
                             {{"kernels", worst.launchCount},
                              {"median_kernel_ns", std::int64_t{worst.medianKernel.count()}},
                              {"median_launch_call_ns", std::int64_t{worst.medianLaunchCall.count()}},
                              {"wall_per_kernel_ns", std::int64_t{wallPerKernel.count()}},
                              {"pauses", pauses.count},
                              {"pauses_ns", std::int64_t{pauses.total.count()}}});
    finding->where = worst.idle[IdleCause::HostLaunch].longest();
    finding->advice = pauses.dominate
                          ? adviceForPauses(trace, worst, pauses)
                          : adviceForManyKernels(frameworkOf(trace, worst), factsOf(trace, worst), isMinor);
    if (std::string slow = slowCallsText(measurements, worst); !slow.empty())
        finding->advice.push_back(std::move(slow));
    return finding;
}

} // namespace tacho
