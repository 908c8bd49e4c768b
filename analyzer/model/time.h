// SPDX-License-Identifier: Apache-2.0
// Points in time and durations, in nanoseconds.
#pragma once

#include <chrono>
#include <compare>
#include <cstdint>

namespace tacho {

/// The clock of a trace: its zero is whatever the trace says (CLOCK_MONOTONIC for tacho's own files). Never
/// "now".
struct TraceClock {
    using duration = std::chrono::nanoseconds; // NOLINT(readability-identifier-naming): std's names
    using rep = duration::rep;                 // NOLINT(readability-identifier-naming)
    using period = duration::period;           // NOLINT(readability-identifier-naming)
    using time_point = std::chrono::time_point<TraceClock>; // NOLINT(readability-identifier-naming)
    static constexpr bool is_steady = true;                 // NOLINT(readability-identifier-naming)
};

using DurationNs = std::chrono::nanoseconds;
using TimeNs = std::chrono::time_point<TraceClock, DurationNs>;

constexpr TimeNs timeFromNs(std::int64_t ns) {
    return TimeNs{DurationNs{ns}};
}
constexpr std::int64_t toNs(TimeNs time) {
    return time.time_since_epoch().count();
}

/// Half-open: `end` is not part of it. REQUIRES start <= end wherever one is stored in a trace.
struct Interval {
    TimeNs start;
    TimeNs end;
    [[nodiscard]] constexpr DurationNs length() const { return end - start; }
    constexpr auto operator<=>(const Interval&) const = default;
};

} // namespace tacho
