// SPDX-License-Identifier: Apache-2.0
#include "analyzer/report/step_text.h"

#include "analyzer/rules/quantity_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace tacho {

std::string stepPartsText(const StepSummary& steps, const DeviceActivity& activity) {
    const StepParts mean = meanParts(activity.steps, steps.firstSteady, steps.lastSteady);
    const DurationNs whole = std::accumulate(mean.begin(), mean.end(), DurationNs{0});
    if (whole.count() == 0)
        return "";
    std::vector<std::size_t> order(kStepClasses);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return mean[a] > mean[b]; });
    std::string text;
    for (const std::size_t part : order)
        if (mean[part] * 100 >= whole)
            text += fmt::format("{} {} {}", text.empty() ? "" : ",", titleOf(static_cast<StepClass>(part)),
                                durationText(mean[part]));
    return fmt::format("mean {}:{}", durationText(whole), text);
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
