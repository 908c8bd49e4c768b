// SPDX-License-Identifier: Apache-2.0
#include "analyzer/metrics/host_pauses.h"

#include <algorithm>
#include <map>

namespace tacho {

DurationNs hostLateness(const DeviceActivity& activity) {
    return activity.idle.length(IdleCause::HostLaunch) + activity.idle.length(IdleCause::LaunchLatency);
}

HostPauses pausesOf(const DeviceActivity& activity) {
    HostPauses pauses;
    for (const Interval& gap : activity.idle[IdleCause::HostLaunch].intervals()) {
        if (gap.length() <= kLongestLaunchGap)
            continue;
        ++pauses.count;
        pauses.total += gap.length();
        if (!pauses.longest || gap.length() > pauses.longest->length())
            pauses.longest = gap;
    }
    pauses.dominate = 2 * pauses.total > hostLateness(activity);
    return pauses;
}

std::optional<PauseWork> workIn(const Trace& trace, ProcessIndex process, Interval pause) {
    const Ranges& ranges = trace.ranges;
    std::map<StringId, IntervalSet> byName; // rows come by start, as append() needs
    const auto first = std::lower_bound(ranges.start.begin(), ranges.start.end(), pause.start);
    for (auto row = static_cast<std::size_t>(first - ranges.start.begin());
         row < ranges.size() && ranges.start[row] < pause.end; ++row)
        if (ranges.end[row] <= pause.end && ranges.thread[row] != kNoThread &&
            trace.threads[static_cast<std::size_t>(ranges.thread[row])].process == process)
            byName[ranges.name[row]].append(ranges.interval(row));
    PauseWork longest;
    for (const auto& [name, times] : byName)
        if (times.totalLength() > longest.time)
            longest = {std::string(trace.text(name)), times.totalLength()};
    return 2 * longest.time >= pause.length() && !longest.name.empty() ? std::optional(longest)
                                                                       : std::nullopt;
}

} // namespace tacho
