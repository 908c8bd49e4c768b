// SPDX-License-Identifier: Apache-2.0
#include "analyzer/report/step_text.h"

#include "analyzer/rules/quantity_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tacho {
namespace {

/// "15 to 24", or where steps between were not recorded "50 of steps 15 to 109".
std::string analysedStepsText(const StepSummary& steps) {
    const bool hasGaps = steps.lastSteady - steps.firstSteady >= static_cast<std::int64_t>(steps.steadySteps);
    return fmt::format("{}{} to {}", hasGaps ? fmt::format("{} of steps ", steps.steadySteps) : "",
                       steps.firstSteady, steps.lastSteady);
}

/// " (91.0 to 98.2 ms), recording adds 21 %"
std::string recordingCostText(const RecordingCost& cost) {
    std::string low = durationText(cost.unprofiledQ1);
    const std::string high = durationText(cost.unprofiledQ3);
    if (low.substr(low.find(' ')) == high.substr(high.find(' ')))
        low.resize(low.find(' '));
    const double percent = std::round(100 * cost.addedShare());
    return fmt::format(" ({} to {}), recording adds {}", low, high,
                       percent > 0 ? fmt::format("{:.0f} %", percent) : "nothing that shows");
}

} // namespace

std::string stepsText(const StepSummary& steps) {
    if (steps.steps.empty())
        return "none marked: the whole capture is analysed";
    std::string text =
        fmt::format("{} ({}), {} analysed: median {}, p95 {}", steps.steps.size(), nameOf(steps.source),
                    analysedStepsText(steps), durationText(steps.median), durationText(steps.p95));
    if (steps.unprofiledMedian)
        text += fmt::format("; unprofiled median {}", durationText(*steps.unprofiledMedian));
    if (steps.recordingCost)
        text += recordingCostText(*steps.recordingCost);
    if (steps.warmUpSteps > 0)
        text += fmt::format("; {} warm-up left out", steps.warmUpSteps);
    return text;
}

std::string partsText(const StepParts& parts) {
    const DurationNs whole = totalOf(parts);
    std::vector<std::size_t> order(kStepClasses);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return parts[a] > parts[b]; });
    std::string text;
    for (const std::size_t part : order)
        if (parts[part].count() > 0 && parts[part] * 100 >= whole)
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", titleOf(static_cast<StepClass>(part)),
                                durationText(parts[part]));
    return text;
}

std::string stepPartsText(const DeviceActivity& activity) {
    const DurationNs whole = totalOf(activity.usual);
    return activity.steps.empty() || whole.count() == 0
               ? ""
               : fmt::format("mean {}: {}", durationText(whole), partsText(activity.usual));
}

std::string phasesText(const PhaseSplit& phases, std::size_t steps) {
    if (!phases.isKnown())
        return "";
    DurationNs gpu = phases.other.gpu;
    for (const PhaseTime& phase : phases.phases)
        gpu += phase.gpu;
    const auto share = [&](DurationNs part) {
        return percentText(static_cast<double>(part.count()) /
                           static_cast<double>(std::max<std::int64_t>(gpu.count(), 1)));
    };
    std::string text;
    for (const Phase phase : {Phase::DataLoader, Phase::Forward, Phase::Backward, Phase::Optimizer}) {
        const PhaseTime& time = phases.phases[static_cast<std::size_t>(phase)];
        if (time.host.count() > 0 || time.gpuOps > 0)
            text += fmt::format(
                "{}{} {} (GPU work {})", text.empty() ? "host " : ", ", nameOf(phase),
                durationText(time.host / static_cast<std::int64_t>(std::max<std::size_t>(steps, 1))),
                share(time.gpu));
    }
    return text + fmt::format("{}; launched in none {}", steps > 0 ? " a step" : "", share(phases.other.gpu));
}

std::string variationText(const StepVariation& variation, std::size_t steps) {
    if (variation.slow.empty())
        return "";
    std::string which = fmt::format("from step {}", variation.slow.front());
    if (variation.slow.size() == 1)
        which = fmt::format("step {}", variation.slow.front());
    else if (variation.every)
        which = fmt::format("one in {}, from step {}", *variation.every, variation.slow.front());
    return fmt::format("{} of {} steps {} slow ({}): median {}, {} more in {}", variation.slow.size(), steps,
                       variation.slow.size() == 1 ? "is" : "are", which, durationText(variation.slowMedian),
                       durationText(variation.growth), titleOf(variation.cause));
}

} // namespace tacho
