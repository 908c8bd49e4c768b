// SPDX-License-Identifier: Apache-2.0
#include "analyzer/metrics/collective_steps.h"

#include "analyzer/metrics/communication_kernel.h"
#include "analyzer/metrics/periodic_steps.h"
#include "analyzer/metrics/quantile.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace tacho {
namespace {

/// Of steps: in one run they differ by less than this factor, warm-up and the odd slow one aside.
constexpr double kMostUneven = 1.5;

/// The collectives of one process in the order of their calls. Equal ids: collectives of the same kind and
/// size.
struct CollectiveSequence {
    std::vector<StringId> ids;
    std::vector<TimeNs> issued;
    ThreadIndex thread = kNoThread;
};
using Sequences = std::map<ProcessIndex, CollectiveSequence>;

Sequences sequencesOfCalls(const Trace& trace) {
    std::map<std::tuple<CollectiveKind, std::int64_t, StringId>, std::uint32_t> idOf;
    Sequences sequences;
    for (const Collective& call : trace.collectives) { // sorted by process, then start
        const auto id = static_cast<std::uint32_t>(idOf.size());
        CollectiveSequence& own = sequences[call.process];
        own.ids.push_back(StringId{idOf.try_emplace({call.kind, call.bytes, call.group}, id).first->second});
        own.issued.push_back(call.interval.start);
        own.thread = call.thread;
    }
    return sequences;
}

Sequences sequencesOfKernels(const Trace& trace) {
    std::vector<bool> isCommunication(trace.strings.size());
    for (std::size_t id = 0; id < isCommunication.size(); ++id)
        isCommunication[id] = isCommunicationKernel(trace.strings.text(static_cast<StringId>(id)));
    std::map<std::pair<StringId, std::uint32_t>, std::uint32_t> idOf;
    Sequences sequences;
    const GpuOps& ops = trace.gpuOps;
    for (std::size_t row = 0; row < ops.size(); ++row) {
        if (ops.kind[row] != GpuOpKind::Kernel || !isCommunication[static_cast<std::size_t>(ops.name[row])])
            continue;
        const auto id = static_cast<std::uint32_t>(idOf.size());
        CollectiveSequence& own = sequences[trace.devices[static_cast<std::size_t>(ops.device[row])].process];
        own.ids.push_back(StringId{idOf.try_emplace({ops.name[row], ops.shape[row]}, id).first->second});
        own.issued.push_back(trace.issueTime(row));
    }
    return sequences;
}

bool areEven(const std::vector<StepMark>& steps) {
    std::vector<DurationNs> lengths;
    for (const StepMark& step : steps)
        lengths.push_back(step.interval.length());
    const auto median = static_cast<double>(quantile(lengths, 0.5).count());
    return static_cast<double>(quantile(lengths, 0.9).count()) <= kMostUneven * median;
}

} // namespace

std::vector<StepMark> findCollectiveSteps(const Trace& trace) {
    const Sequences sequences =
        trace.collectives.empty() ? sequencesOfKernels(trace) : sequencesOfCalls(trace);
    const auto most = std::max_element(sequences.begin(), sequences.end(), [](const auto& a, const auto& b) {
        return a.second.ids.size() < b.second.ids.size();
    });
    if (most == sequences.end())
        return {};
    const CollectiveSequence& sequence = most->second;
    const auto period = findPeriod(sequence.ids, 1);
    if (!period)
        return {};
    const std::vector<std::size_t> starts = periodStarts(sequence.ids, sequence.issued, *period);
    std::vector<StepMark> steps;
    for (std::size_t i = 1; i < starts.size(); ++i) {
        const Interval interval{sequence.issued[starts[i - 1]], sequence.issued[starts[i]]};
        if (interval.start < interval.end)
            steps.push_back({most->first, sequence.thread, static_cast<std::int64_t>(i - 1), interval, true});
    }
    return *period > 1 || areEven(steps) ? steps : std::vector<StepMark>{};
}

} // namespace tacho
