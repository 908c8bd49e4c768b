// SPDX-License-Identifier: Apache-2.0
#include "analyzer/metrics/periodic_steps.h"

#include "analyzer/metrics/quantile.h"
#include "analyzer/metrics/recorded_time.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

namespace tacho {
namespace {

constexpr std::size_t kFewestPeriods = 3;
constexpr std::size_t kMostCandidates = 32;
constexpr double kLeastMatch = 0.9;
/// A multiple of the period matches as well as the period: of two this close the shorter one is it.
constexpr double kSameMatch = 0.005;

using Positions = std::unordered_map<StringId, std::vector<std::size_t>>;

Positions positionsByName(std::span<const StringId> sequence) {
    Positions positions;
    for (std::size_t i = 0; i < sequence.size(); ++i)
        positions[sequence[i]].push_back(i);
    return positions;
}

/// Distances between neighbours; REQUIRES two positions.
std::size_t medianDistance(const std::vector<std::size_t>& positions) {
    std::vector<std::size_t> distances;
    for (std::size_t i = 1; i < positions.size(); ++i)
        distances.push_back(positions[i] - positions[i - 1]);
    const auto middle = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
    std::nth_element(distances.begin(), middle, distances.end());
    return *middle;
}

/// Distances at which rare names come again: those of a step come once a step, if they come seldom.
std::set<std::size_t> candidatePeriods(const Positions& positions) {
    std::vector<const std::vector<std::size_t>*> rarestFirst;
    for (const auto& [name, where] : positions)
        if (where.size() >= kFewestPeriods)
            rarestFirst.push_back(&where);
    std::sort(rarestFirst.begin(), rarestFirst.end(), [](const auto* a, const auto* b) {
        return std::pair(a->size(), a->front()) < std::pair(b->size(), b->front());
    });
    std::set<std::size_t> candidates;
    for (const auto* where : rarestFirst)
        if (candidates.size() < kMostCandidates)
            candidates.insert(medianDistance(*where));
    return candidates;
}

/// Share of the elements that come again after `period`, in the last three quarters: the start is warm-up.
double matchOf(std::span<const StringId> sequence, std::size_t period) {
    const std::size_t first = sequence.size() / 4;
    std::size_t matches = 0;
    for (std::size_t i = first; i + period < sequence.size(); ++i)
        matches += sequence[i] == sequence[i + period] ? 1 : 0;
    return static_cast<double>(matches) / static_cast<double>(sequence.size() - period - first);
}

/// The kernels of one stream, in the order of their start.
struct KernelSequence {
    std::vector<std::size_t> rows; ///< of GpuOps
    std::vector<StringId> names;
};

KernelSequence busiestStream(const Trace& trace) {
    const GpuOps& ops = trace.gpuOps;
    std::map<std::pair<DeviceIndex, std::uint32_t>, KernelSequence> streams;
    for (std::size_t row = 0; row < ops.size(); ++row) {
        if (ops.kind[row] != GpuOpKind::Kernel)
            continue;
        KernelSequence& stream = streams[{ops.device[row], ops.stream[row]}];
        stream.rows.push_back(row);
        stream.names.push_back(ops.name[row]);
    }
    const auto busiest = std::max_element(streams.begin(), streams.end(), [](const auto& a, const auto& b) {
        return a.second.rows.size() < b.second.rows.size();
    });
    return busiest == streams.end() ? KernelSequence{} : std::move(busiest->second);
}

DurationNs medianPauseBefore(std::span<const TimeNs> issued, const std::vector<std::size_t>& positions) {
    std::vector<DurationNs> pauses;
    for (const std::size_t i : positions)
        if (i > 0)
            pauses.push_back(issued[i] - issued[i - 1]);
    return quantile(std::move(pauses), 0.5);
}

std::vector<TimeNs> issueTimes(const Trace& trace, const KernelSequence& kernels) {
    std::vector<TimeNs> times;
    times.reserve(kernels.rows.size());
    for (const std::size_t row : kernels.rows)
        times.push_back(trace.issueTime(row));
    return times;
}

} // namespace

std::optional<std::size_t> findPeriod(std::span<const StringId> sequence, std::size_t shortest) {
    std::optional<std::size_t> best;
    double bestMatch = 0;
    for (const std::size_t period : candidatePeriods(positionsByName(sequence))) { // shortest first
        if (period < shortest || period * kFewestPeriods > sequence.size())
            continue;
        const double match = matchOf(sequence, period);
        if (match >= kLeastMatch && match > bestMatch + kSameMatch) {
            best = period;
            bestMatch = match;
        }
    }
    return best;
}

std::vector<std::size_t> periodStarts(std::span<const StringId> sequence, std::span<const TimeNs> issued,
                                      std::size_t period) {
    std::vector<std::size_t> starts;
    DurationNs longest = DurationNs::min();
    for (auto& [name, positions] : positionsByName(sequence)) {
        if (positions.size() < kFewestPeriods || medianDistance(positions) != period)
            continue;
        const DurationNs pause = medianPauseBefore(issued, positions);
        if (pause > longest || (pause == longest && positions.front() < starts.front())) {
            longest = pause;
            starts = std::move(positions);
        }
    }
    return starts;
}

std::vector<StepMark> findPeriodicSteps(const Trace& trace) {
    const KernelSequence kernels = busiestStream(trace);
    const std::optional<std::size_t> period = findPeriod(kernels.names);
    if (!period)
        return {};
    const std::vector<std::size_t> starts = periodStarts(kernels.names, issueTimes(trace, kernels), *period);
    const DeviceIndex device = trace.gpuOps.device[kernels.rows.front()];
    const IntervalSet recorded = recordedTime(trace)[static_cast<std::size_t>(device)];
    std::vector<StepMark> steps;
    for (std::size_t i = 1; i < starts.size(); ++i) {
        const std::size_t row = kernels.rows[starts[i - 1]], next = kernels.rows[starts[i]];
        StepMark step;
        step.process = trace.devices[static_cast<std::size_t>(device)].process;
        step.index = static_cast<std::int64_t>(i - 1);
        step.interval = {trace.issueTime(row), trace.issueTime(next)};
        const bool isAcrossWindows =
            !recorded.gaps({trace.gpuOps.start[row], trace.gpuOps.start[next]}).empty();
        if (step.interval.start < step.interval.end && !isAcrossWindows)
            steps.push_back(step);
    }
    return steps;
}

} // namespace tacho
