// SPDX-License-Identifier: Apache-2.0
#include "analyzer/metrics/micro_steps.h"

#include "analyzer/metrics/communication_kernel.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <string>

namespace tacho {
namespace {

/// What comes once a step, most reliable first.
enum class StepEnd : std::uint8_t { Optimizer, ManyTensors, Collective };
constexpr std::size_t kStepEnds = 3;

std::optional<StepEnd> stepEndOf(std::string_view name) {
    std::string lower(name);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    const auto has = [&](std::string_view part) { return lower.find(part) != std::string::npos; };
    if (has("adam") || has("sgd"))
        return StepEnd::Optimizer;
    if (has("multi_tensor_apply"))
        return StepEnd::ManyTensors;
    return isCommunicationKernel(name) ? std::optional(StepEnd::Collective) : std::nullopt;
}

/// When the process launched them; sorted. Of the most reliable kind that there is.
std::vector<TimeNs> stepEndTimes(const Trace& trace, ProcessIndex process) {
    std::vector<std::optional<StepEnd>> kindOfName(trace.strings.size());
    for (std::size_t id = 0; id < kindOfName.size(); ++id)
        kindOfName[id] = stepEndOf(trace.strings.text(static_cast<StringId>(id)));
    std::array<std::vector<TimeNs>, kStepEnds> times;
    const GpuOps& ops = trace.gpuOps;
    for (std::size_t row = 0; row < ops.size(); ++row) {
        if (ops.kind[row] != GpuOpKind::Kernel ||
            trace.devices[static_cast<std::size_t>(ops.device[row])].process != process)
            continue;
        if (const auto kind = kindOfName[static_cast<std::size_t>(ops.name[row])])
            times[static_cast<std::size_t>(*kind)].push_back(trace.issueTime(row));
    }
    const auto told =
        std::find_if(times.begin(), times.end(), [](const auto& ofKind) { return !ofKind.empty(); });
    if (told == times.end())
        return {};
    std::sort(told->begin(), told->end());
    return std::move(*told);
}

/// Positions of the steps that launch one of `times`.
std::vector<std::size_t> lastMicroSteps(const std::vector<StepMark>& steps,
                                        const std::vector<TimeNs>& times) {
    std::vector<std::size_t> last;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const auto first = std::lower_bound(times.begin(), times.end(), steps[i].interval.start);
        if (first != times.end() && *first < steps[i].interval.end)
            last.push_back(i);
    }
    return last;
}

bool isRegular(const std::vector<std::size_t>& positions) {
    return positions.size() >= 2 &&
           std::adjacent_find(positions.begin(), positions.end(), [&](std::size_t a, std::size_t b) {
               return b - a != positions[1] - positions[0];
           }) == positions.end();
}

} // namespace

std::vector<StepMark> joinMicroSteps(const Trace& trace, std::vector<StepMark> steps) {
    if (steps.empty())
        return steps;
    const auto last = lastMicroSteps(steps, stepEndTimes(trace, steps.front().process));
    if (!isRegular(last) || last[1] - last[0] == 1)
        return steps;
    std::vector<StepMark> joined;
    for (std::size_t i = 1; i < last.size(); ++i) {
        const StepMark &first = steps[last[i - 1] + 1], &end = steps[last[i]];
        if (end.index - first.index != static_cast<std::int64_t>(last[i] - last[i - 1] - 1))
            continue; // some of its micro steps are not in a window
        StepMark step = first;
        step.index = static_cast<std::int64_t>(i - 1);
        step.interval.end = end.interval.end;
        joined.push_back(step);
    }
    return joined;
}

} // namespace tacho
