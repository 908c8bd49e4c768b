// SPDX-License-Identifier: Apache-2.0
#include "analyzer/metrics/step_variation.h"

#include "analyzer/metrics/quantile.h"

#include <algorithm>

namespace tacho {
namespace {

constexpr std::size_t kFewestSteps = 5;
constexpr double kRobustDeviations = 5 * 1.4826;
constexpr double kLeastExcess = 0.1;
constexpr std::size_t kFewestRepeats = 3;

std::vector<DurationNs> lengthsOf(std::span<const StepTime> steps) {
    std::vector<DurationNs> lengths;
    for (const StepTime& step : steps)
        lengths.push_back(step.interval.length());
    return lengths;
}

/// Steps longer than this are slow.
double slowLimit(std::span<const StepTime> steps, DurationNs median) {
    std::vector<DurationNs> deviations = lengthsOf(steps);
    for (DurationNs& each : deviations)
        each = each > median ? each - median : median - each;
    const auto deviation = static_cast<double>(quantile(std::move(deviations), 0.5).count());
    const auto middle = static_cast<double>(median.count());
    return middle + std::max(kRobustDeviations * deviation, kLeastExcess * middle);
}

std::optional<std::int64_t> regularDistance(const std::vector<std::int64_t>& indices) {
    if (indices.size() < kFewestRepeats)
        return std::nullopt;
    const std::int64_t distance = indices[1] - indices[0];
    for (std::size_t i = 1; i < indices.size(); ++i)
        if (indices[i] - indices[i - 1] != distance)
            return std::nullopt;
    return distance > 1 ? std::optional(distance) : std::nullopt;
}

void findCause(StepVariation& variation, std::span<const StepTime> slow, std::span<const StepTime> others) {
    const auto all = [](std::span<const StepTime> steps) {
        return meanParts(steps, steps.front().index, steps.back().index);
    };
    const StepParts more = all(slow), usual = all(others);
    for (std::size_t part = 0; part < kStepClasses; ++part)
        if (more[part] - usual[part] > variation.growth) {
            variation.growth = more[part] - usual[part];
            variation.cause = static_cast<StepClass>(part);
        }
}

} // namespace

StepVariation measureVariation(std::span<const StepTime> allSteps, std::int64_t first, std::int64_t last) {
    std::vector<StepTime> steps, slow, others;
    for (const StepTime& step : allSteps)
        if (step.index >= first && step.index <= last)
            steps.push_back(step);
    StepVariation variation;
    variation.q1 = quantile(lengthsOf(steps), 0.25);
    variation.median = quantile(lengthsOf(steps), 0.5);
    variation.q3 = quantile(lengthsOf(steps), 0.75);
    const double limit = slowLimit(steps, variation.median);
    for (const StepTime& step : steps)
        (static_cast<double>(step.interval.length().count()) > limit ? slow : others).push_back(step);
    if (steps.size() < kFewestSteps || slow.empty())
        return variation;
    for (const StepTime& step : slow)
        variation.slow.push_back(step.index);
    variation.slowMedian = quantile(lengthsOf(slow), 0.5);
    variation.every = regularDistance(variation.slow);
    findCause(variation, slow, others);
    return variation;
}

} // namespace tacho
