// SPDX-License-Identifier: Apache-2.0
#include "analyzer/metrics/recorded_time.h"

#include <algorithm>

namespace tacho {
namespace {

/// Tells windows of a process apart. Recording begins a little before its window and ends a little after, as
/// other threads go on launching while it is switched; so the middle between two windows parts them.
std::vector<std::vector<TimeNs>> middlesOfGaps(const Trace& trace) {
    std::vector<std::vector<TimeNs>> middles(trace.processes.size());
    for (std::size_t row = 1; row < trace.windows.size(); ++row) {
        const RecordedWindow& before = trace.windows[row - 1];
        const RecordedWindow& window = trace.windows[row];
        if (before.process == window.process && before.interval.end < window.interval.start)
            middles[static_cast<std::size_t>(window.process)].push_back(
                before.interval.end + (window.interval.start - before.interval.end) / 2);
    }
    return middles;
}

} // namespace

std::vector<IntervalSet> recordedTime(const Trace& trace) {
    const std::vector<std::vector<TimeNs>> middles = middlesOfGaps(trace);
    std::vector<std::vector<Interval>> pieces(trace.devices.size());
    const auto middlesOf = [&](std::size_t device) -> const std::vector<TimeNs>& {
        return middles[static_cast<std::size_t>(trace.devices[device].process)];
    };
    for (std::size_t device = 0; device < pieces.size(); ++device)
        pieces[device].resize(middlesOf(device).size() + 1, {TimeNs::max(), TimeNs::min()});
    for (std::size_t row = 0; row < trace.gpuOps.size(); ++row) {
        const auto device = static_cast<std::size_t>(trace.gpuOps.device[row]);
        const auto& ends = middlesOf(device);
        const auto window = std::upper_bound(ends.begin(), ends.end(), trace.issueTime(row)) - ends.begin();
        Interval& piece = pieces[device][static_cast<std::size_t>(window)];
        piece.start = std::min(piece.start, trace.gpuOps.start[row]);
        piece.end = std::max(piece.end, trace.gpuOps.end[row]);
    }
    std::vector<IntervalSet> recorded;
    for (std::vector<Interval>& ofDevice : pieces) {
        std::erase_if(ofDevice, [](const Interval& piece) { return piece.end < piece.start; });
        recorded.push_back(IntervalSet::unite(std::move(ofDevice)));
    }
    return recorded;
}

} // namespace tacho
