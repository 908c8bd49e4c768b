// SPDX-License-Identifier: Apache-2.0
#include "analyzer/metrics/phase_split.h"

#include <algorithm>
#include <cctype>
#include <unordered_map>

namespace tacho {
namespace {

std::string lowerCase(std::string_view name) {
    std::string lower(name);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return lower;
}

std::optional<Phase> phaseNamed(std::string_view name) {
    const std::string lower = lowerCase(name);
    for (const auto& [word, phase] : {std::pair("optimizer", Phase::Optimizer),
                                      {"optimizer step", Phase::Optimizer},
                                      {"backward", Phase::Backward},
                                      {"forward", Phase::Forward},
                                      {"dataloader", Phase::DataLoader}})
        if (lower == word)
            return phase;
    return std::nullopt;
}

} // namespace

std::string_view nameOf(Phase phase) {
    static constexpr std::array<std::string_view, kPhases> kNames = {"optimizer", "backward", "forward",
                                                                     "dataloader"};
    return kNames[static_cast<std::size_t>(phase)];
}

std::optional<Phase> phaseOf(RangeKind kind, std::string_view name) {
    if (kind == RangeKind::Mark)
        return std::nullopt;
    if (kind == RangeKind::Operator)
        return name.starts_with("autograd::engine::evaluate_function") ? std::optional(Phase::Backward)
                                                                       : std::nullopt;
    if (name.starts_with("Optimizer.step#"))
        return Phase::Optimizer;
    if (name.starts_with("enumerate(DataLoader)"))
        return Phase::DataLoader;
    return phaseNamed(name);
}

bool PhaseSplit::isKnown() const {
    return std::any_of(phases.begin(), phases.end(),
                       [](const PhaseTime& phase) { return phase.host.count() > 0; });
}

PhaseTimes::PhaseTimes(const Trace& trace) {
    const Ranges& ranges = trace.ranges;
    std::vector<std::array<std::vector<Interval>, kPhases>> found(trace.processes.size());
    std::array<std::unordered_map<StringId, std::optional<Phase>>, 6> judged; // by kind
    for (std::size_t row = 0; row < ranges.size(); ++row) {
        const auto thread = static_cast<std::size_t>(ranges.thread[row]);
        if (thread >= trace.threads.size())
            continue;
        const auto [entry, isNew] =
            judged.at(static_cast<std::size_t>(ranges.kind[row])).try_emplace(ranges.name[row]);
        if (isNew)
            entry->second = phaseOf(ranges.kind[row], trace.text(ranges.name[row]));
        if (entry->second)
            found[static_cast<std::size_t>(trace.threads[thread].process)]
                 [static_cast<std::size_t>(*entry->second)]
                     .push_back(ranges.interval(row));
    }
    for (auto& ofProcess : found) {
        std::array<IntervalSet, kPhases>& phases = m_byProcess.emplace_back();
        IntervalSet taken;
        for (std::size_t phase = 0; phase < kPhases; ++phase) {
            const IntervalSet all = IntervalSet::unite(std::move(ofProcess[phase]));
            phases[phase] = all.subtraction(taken);
            taken = taken.unionWith(all);
        }
    }
}

PhaseSplit PhaseTimes::split(const Trace& trace, DeviceIndex device, std::span<const std::uint32_t> rows,
                             Interval window, const IntervalSet& steps) const {
    const auto process = static_cast<std::size_t>(trace.devices[static_cast<std::size_t>(device)].process);
    const std::array<IntervalSet, kPhases>& phases = m_byProcess[process];
    std::array<IntervalSet, kPhases + 1> work; // the last: none of them
    PhaseSplit split;
    const auto timeOf = [&](std::size_t phase) -> PhaseTime& {
        return phase < kPhases ? split.phases[phase] : split.other;
    };
    for (const std::uint32_t row : rows) {
        const Interval inside = clip(trace.gpuOps.interval(row), window);
        if (inside.start == inside.end)
            continue;
        std::size_t phase = 0;
        if (trace.gpuOps.launch[row] == kNoRow)
            phase = kPhases;
        while (phase < kPhases && !phases[phase].contains(trace.issueTime(row)))
            ++phase;
        work[phase].append(inside);
        ++timeOf(phase).gpuOps;
    }
    for (std::size_t phase = 0; phase <= kPhases; ++phase)
        timeOf(phase).gpu = work[phase].totalLength();
    for (std::size_t phase = 0; phase < kPhases; ++phase)
        split.phases[phase].host = phases[phase].intersection(steps).totalLength();
    return split;
}

} // namespace tacho
