// SPDX-License-Identifier: Apache-2.0
#include "analyzer/report/time_split.h"

namespace tacho {

std::string_view nameOf(TimePart part) {
    static constexpr std::array<std::string_view, kTimeParts> kNames = {
        "compute", "communication", "copies",  "other", "input",
        "sync",    "dependency",    "startup", "host",  "untold"};
    return kNames[static_cast<std::size_t>(part)];
}

char letterOf(TimePart part) {
    static constexpr std::string_view kLetters = "#%=+is-u.?";
    return kLetters[static_cast<std::size_t>(part)];
}

TimeSplit splitTime(const DeviceActivity& activity) {
    TimeSplit split{};
    const auto add = [&](TimePart part, DurationNs time) { split[static_cast<std::size_t>(part)] += time; };
    const auto idle = [&](IdleCause cause) { return activity.idle.length(cause); };
    add(TimePart::Compute, activity.steady.compute);
    add(TimePart::Communication, activity.steady.communicationExposed + activity.copies.peer.exposed +
                                     idle(IdleCause::HostCommunication));
    add(TimePart::Copy, activity.copiesExposed + idle(IdleCause::BlockingCopy));
    add(TimePart::OtherWork, activity.otherWork);
    add(TimePart::Input, idle(IdleCause::DataLoading));
    add(TimePart::Sync, idle(IdleCause::Synchronisation));
    add(TimePart::Startup, idle(IdleCause::ModuleLoad));
    add(TimePart::Host, idle(IdleCause::HostLaunch) + idle(IdleCause::LaunchLatency) +
                            idle(IdleCause::Allocation) + idle(IdleCause::ApiCall) +
                            idle(IdleCause::Profiler));
    add(TimePart::Dependency, idle(IdleCause::DependencyWait));
    add(TimePart::Untold, idle(IdleCause::NoData));
    return split;
}

TimeShares shareTime(const Measurements& measurements) {
    TimeShares shares{};
    double windows = 0;
    for (const DeviceActivity& activity : measurements.devices) {
        const TimeSplit split = splitTime(activity);
        for (std::size_t part = 0; part < kTimeParts; ++part)
            shares[part] += static_cast<double>(split[part].count());
        windows += static_cast<double>(activity.steady.span.count());
    }
    if (windows > 0)
        for (double& share : shares)
            share /= windows;
    return shares;
}

} // namespace tacho
