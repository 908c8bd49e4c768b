// SPDX-License-Identifier: Apache-2.0
#include "analyzer/rules/finding.h"

namespace tacho {

std::string_view nameOf(FindingSeverity severity) {
    static constexpr std::string_view kNames[] = {"info", "warning", "critical"};
    return kNames[static_cast<std::size_t>(severity)];
}

std::optional<Finding> makeFinding(std::string rule, TimeShare atMost) {
    if (atMost.share < kLeastShare)
        return std::nullopt;
    Finding finding;
    finding.rule = std::move(rule);
    finding.atMost = atMost;
    finding.severity = atMost.share >= 0.2    ? FindingSeverity::Critical
                       : atMost.share >= 0.05 ? FindingSeverity::Warning
                                              : FindingSeverity::Info;
    finding.evidence = {{"at_most_ns", atMost.perDevice.count()}, {"at_most_share", atMost.share}};
    finding.abstained =
        "The gain is not predicted: at_most_ns is an upper bound, all of the cost gone and nothing "
        "else in the way.";
    return finding;
}

} // namespace tacho
