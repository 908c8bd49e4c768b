// SPDX-License-Identifier: Apache-2.0
// Copies that could run beside kernels, as their memory is pinned, and do not.
#include "analyzer/rules/all_rules.h"
#include "analyzer/rules/batch_types.h"
#include "analyzer/rules/copy_sums.h"
#include "analyzer/rules/quantity_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace tacho {
namespace {

/// Where the host communicates for longer, the copies are those of gloo or MPI, and go with it.
DurationNs exposedButPageable(const DeviceActivity& activity) {
    const DurationNs exposed = activity.copies.exposed - activity.copies.pageable.exposed;
    return activity.idle.length(IdleCause::HostCommunication) > exposed ? DurationNs{0} : exposed;
}

} // namespace

std::optional<Finding> checkExposedCopies(const Trace& trace, const Measurements& measurements) {
    auto finding = makeFinding("exposed_copies", shareOfWindows(measurements, exposedButPageable));
    if (!finding)
        return std::nullopt;
    const CopyTotal in = sumOf(measurements, &HostCopies::toDevice);
    const CopyTotal out = sumOf(measurements, &HostCopies::toHost);
    finding->title = fmt::format("Copies take {} of the time with nothing to hide it: {}",
                                 percentText(finding->atMost.share), directionsText(in, out));
    finding->evidence.insert(finding->evidence.end(), {{"h2d_ns", std::int64_t{in.time.count()}},
                                                       {"h2d_bytes", in.bytes},
                                                       {"d2h_ns", std::int64_t{out.time.count()}},
                                                       {"d2h_bytes", out.bytes}});
    finding->advice = {
        "Copy less: keep on the GPU what does not change from step to step, and send the smaller type (uint8 "
        "or 16 bits) to convert it there.",
        "Copy ahead: the next batch on a stream of its own (non_blocking=True) while this one computes."};
    if (anyBatchIsDouble(trace))
        finding->advice.insert(finding->advice.begin(), kSendFloats);
    return finding;
}

} // namespace tacho
