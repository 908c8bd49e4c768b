// SPDX-License-Identifier: Apache-2.0
#include "analyzer/report/verdict.h"

#include "analyzer/report/resource_text.h"
#include "analyzer/report/time_split.h"
#include "analyzer/report/verdict_text.h"
#include "analyzer/rules/ranks.h"

#include <array>

namespace tacho {
namespace {

constexpr double kLeastLimit = 0.25;
/// A straggler shows in the others' waits: it is worth naming before the waits are a quarter of the time.
constexpr double kLeastStragglerWait = 0.15;
constexpr double kHealthyCompute = 0.9;

Limit limitOf(TimePart part) {
    switch (part) {
    case TimePart::Communication:
        return Limit::Communication;
    case TimePart::Copy:
        return Limit::Copy;
    case TimePart::Input:
        return Limit::Input;
    case TimePart::Sync:
    case TimePart::Dependency:
        return Limit::Sync;
    case TimePart::Startup:
        return Limit::Startup;
    case TimePart::Host:
    case TimePart::Untold:
        return Limit::Host;
    case TimePart::Compute:
    case TimePart::OtherWork:
        break;
    }
    return Limit::Compute;
}

TimePart largestButCompute(const TimeShares& shares) {
    TimePart largest = TimePart::Untold;
    for (const TimePart part : {TimePart::Communication, TimePart::Copy, TimePart::Input, TimePart::Sync,
                                TimePart::Dependency, TimePart::Startup, TimePart::Host})
        if (shares[static_cast<std::size_t>(part)] > shares[static_cast<std::size_t>(largest)])
            largest = part;
    return largest;
}

TimePart decide(const Trace& trace, const Measurements& measurements, const TimeShares& shares) {
    const auto share = [&](TimePart part) { return shares[static_cast<std::size_t>(part)]; };
    const RankWaits waits = waitsOfRanks(trace, measurements);
    if (share(TimePart::Communication) >= kLeastStragglerWait && waits.isUneven())
        return TimePart::Communication;
    const TimePart largest = largestButCompute(shares);
    if (share(largest) < kLeastLimit && share(largest) <= share(TimePart::Compute))
        return TimePart::Compute;
    if (largest == TimePart::Host) {
        // One rank of many: its own idle time may be the wait for another rank.
        if (waits.ranks.size() == 1 && waits.worldSize > 1 && share(TimePart::Communication) >= kLeastLimit)
            return TimePart::Communication;
        // Copies from pageable memory hold the host, too.
        if (share(TimePart::Copy) >= kLeastLimit && share(TimePart::Copy) > 2 * share(TimePart::Compute))
            return TimePart::Copy;
    }
    return largest;
}

/// Half of the time from the first load of GPU code to the last GPU work, or more.
constexpr double kDominatingLoads = 0.5;

/// Of a process whose run is mostly start-up; null: there is none, or there are steps to judge.
const CodeLoading* dominatingLoads(const Measurements& measurements) {
    const CodeLoading* loading = measurements.steps.steps.empty() ? noticeableLoading(measurements) : nullptr;
    return loading && shareOfStartUp(measurements, *loading) >= kDominatingLoads ? loading : nullptr;
}

} // namespace

std::string_view nameOf(Limit limit) {
    static constexpr std::array<std::string_view, 10> kNames = {
        "host",    "input",   "copy",           "sync", "communication", "compute", "memory_bandwidth",
        "startup", "healthy", "no_gpu_activity"};
    return kNames[static_cast<std::size_t>(limit)];
}

Verdict judge(const Trace& trace, const Measurements& measurements, const std::vector<Finding>& findings) {
    if (measurements.devices.empty())
        return {Limit::NoGpuActivity, 0, noActivityText(trace)};
    if (const CodeLoading* loading = dominatingLoads(measurements))
        return {Limit::Startup, shareOfStartUp(measurements, *loading),
                startUpText(trace, measurements, *loading)};
    const TimeShares shares = shareTime(measurements);
    const TimePart part = decide(trace, measurements, shares);
    Verdict verdict;
    verdict.limit = limitOf(part);
    verdict.share = shares[static_cast<std::size_t>(part)];
    if (part == TimePart::Compute && findings.empty() && verdict.share >= kHealthyCompute)
        verdict.limit = Limit::Healthy;
    verdict.text =
        verdictText({trace, measurements, shares, findings}, part, verdict.limit == Limit::Healthy);
    return verdict;
}

} // namespace tacho
