// SPDX-License-Identifier: Apache-2.0
// The host waits for the GPU (.item(), print of a loss, synchronize) and lets it run dry.
#include "analyzer/rules/all_rules.h"
#include "analyzer/rules/copy_sums.h"
#include "analyzer/rules/quantity_text.h"

#include <fmt/format.h>

namespace tacho {
namespace {

DurationNs idleAfterSync(const DeviceActivity& activity) {
    return activity.idle.length(IdleCause::Synchronisation);
}

std::int64_t callsWithin(const Trace& trace, Interval window) {
    std::int64_t calls = 0;
    for (std::size_t row = 0; row < trace.apiCalls.size(); ++row)
        calls += trace.apiCalls.kind[row] == ApiKind::Synchronize &&
                 trace.apiCalls.start[row] >= window.start && trace.apiCalls.start[row] < window.end;
    return calls;
}

} // namespace

std::optional<Finding> checkSynchronousReads(const Trace& trace, const Measurements& measurements) {
    auto finding = makeFinding("synchronous_reads", shareOfWindows(measurements, idleAfterSync));
    if (!finding)
        return std::nullopt;
    const DeviceActivity& first = measurements.devices.front();
    const std::int64_t calls = callsWithin(trace, first.window);
    const std::int64_t reads = sumOf(measurements, &HostCopies::toHost).count;
    const IntervalSet& gaps = first.idle[IdleCause::Synchronisation];
    finding->title = fmt::format("The GPU runs dry {} of the time because the host waits for it first",
                                 percentText(finding->atMost.share));
    finding->evidence.insert(finding->evidence.end(),
                             {{"synchronising_calls", calls},
                              {"idle_gaps", static_cast<std::int64_t>(gaps.intervals().size())},
                              {"d2h_copies", first.copies.toHost.count}});
    finding->where = gaps.longest();
    if (reads > 0)
        finding->advice = {"Read values of the GPU (.item(), .cpu(), print, if tensor) every N steps only, "
                           "or one step late; "
                           "keep running sums on the GPU."};
    finding->advice.emplace_back(
        "Remove torch.cuda.synchronize() from the training loop; use non_blocking copies.");
    return finding;
}

} // namespace tacho
