// SPDX-License-Identifier: Apache-2.0
#include "analyzer/report/collective_text.h"

#include "analyzer/model/collective_kind.h"
#include "analyzer/rules/quantity_text.h"

#include <fmt/format.h>

namespace tacho {
namespace {

/// Kernels that take longer beside a collective by less than this are as fast as alone.
constexpr double kNoticeableSlowdown = 1.05;

std::string shareText(DurationNs part, DurationNs whole) {
    return percentText(static_cast<double>(part.count()) /
                       static_cast<double>(std::max<std::int64_t>(whole.count(), 1)));
}

std::string bandwidthText(const CollectiveSummary& summary) {
    const auto bus = summary.busBandwidth();
    const auto speed = bus ? bus : summary.algorithmBandwidth();
    if (!speed)
        return "";
    return fmt::format(", {:.1f} GB/s{}{}", *speed / 1e9, bus ? " on the bus" : "",
                       summary.transfer ? "" : " at best");
}

std::string summaryText(const Trace& trace, const CollectiveSummary& summary) {
    const CollectiveRun& like = summary.like;
    const auto& rank = trace.processes[static_cast<std::size_t>(like.process)].rank;
    std::string text = fmt::format("{}{}{} x {}: {}, {} exposed",
                                   like.kind == CollectiveKind::Unknown ? like.backend : nameOf(like.kind),
                                   like.bytes < 0 ? "" : " of " + bytesText(like.bytes),
                                   rank ? fmt::format(" on rank {}", *rank) : "", summary.count,
                                   durationText(summary.time), shareText(summary.exposed, summary.time));
    if (summary.wait)
        text += fmt::format(", {} waiting for other ranks", shareText(*summary.wait, summary.time));
    return text + bandwidthText(summary);
}

const OverlapSlowdown* worstSlowdown(const Measurements& measurements) {
    const OverlapSlowdown* worst = nullptr;
    for (const DeviceActivity& activity : measurements.devices)
        if (activity.slowdown && (!worst || activity.slowdown->factor() > worst->factor()))
            worst = &*activity.slowdown;
    return worst;
}

} // namespace

std::string collectivesText(const Trace& trace, const Measurements& measurements) {
    const auto& summaries = measurements.collectives;
    if (summaries.empty())
        return "";
    std::string text = summaryText(trace, summaries.front());
    if (!summaries.front().wait)
        text += "; of one rank alone waiting cannot be told from moving data";
    const OverlapSlowdown* const slowdown = worstSlowdown(measurements);
    if (slowdown && slowdown->factor() >= kNoticeableSlowdown)
        text += fmt::format("; kernels beside collectives take {:.2f} x as long", slowdown->factor());
    return text;
}

} // namespace tacho
