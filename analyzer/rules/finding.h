// SPDX-License-Identifier: Apache-2.0
// One thing that costs time, with its proof and what to do about it.
#pragma once

#include "analyzer/metrics/measurements.h"
#include "analyzer/model/trace.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace tacho {

/// Exact where it is an integer; durations are in ns and their names end in _ns.
using EvidenceValue = std::variant<std::int64_t, double, std::string>;

struct Prediction {
    double speedup = 1, low = 1, high = 1;
    DurationNs step{0};
    std::string limit; ///< what limits the step after the change
};

/// By the share of the analysed time at stake: critical from a fifth, warning from a twentieth.
enum class FindingSeverity : std::uint8_t { Info, Warning, Critical };
[[nodiscard]] std::string_view nameOf(FindingSeverity severity); ///< as in JSON: "critical"

struct Finding {
    std::string rule; ///< stable, for programs: "tensor_cores_unused"
    FindingSeverity severity = FindingSeverity::Info;
    std::string title; ///< one line with the numbers that matter
    std::vector<std::pair<std::string, EvidenceValue>> evidence;
    std::optional<Interval> where;   ///< the worst instance, to look at
    std::vector<std::uint32_t> rows; ///< of Trace::gpuOps, at most kMostRows
    std::vector<std::string> advice; ///< one action a line, best first
    TimeShare atMost;                ///< bound by Amdahl: all of the cost gone
    std::optional<Prediction> predicted;
    std::string abstained; ///< why there is no prediction; empty if there is one
};
inline constexpr std::size_t kMostRows = 20;

/// Below this share of the analysed time nothing is advised: runs differ by as much.
inline constexpr double kLeastShare = 0.02;

/// The finding of a rule with severity, abstention and the evidence at_most_ns and at_most_share filled in;
/// nothing if too little is at stake.
[[nodiscard]] std::optional<Finding> makeFinding(std::string rule, TimeShare atMost);

} // namespace tacho
