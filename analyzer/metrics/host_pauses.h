// SPDX-License-Identifier: Apache-2.0
// Whether the host is late with each launch, or launches nothing for long as it does something else.
#pragma once

#include "analyzer/metrics/measurements.h"

#include <cstdint>
#include <optional>
#include <string>

namespace tacho {

/// Idle time that the host's own code causes, and that the way of launches to the GPU does.
[[nodiscard]] DurationNs hostLateness(const DeviceActivity& activity);

/// A launch takes a Python program 5 us to 50 us: the host that launches nothing for longer than this does
/// something else.
inline constexpr DurationNs kLongestLaunchGap{1'000'000};

/// Stretches longer than kLongestLaunchGap of IdleCause::HostLaunch on one device, in its window.
struct HostPauses {
    std::int64_t count = 0;
    DurationNs total{0};
    std::optional<Interval> longest;

    /// They are most of what the host is late: fewer launches would bring little.
    bool dominate = false;
};
[[nodiscard]] HostPauses pausesOf(const DeviceActivity& activity);

/// The work that fills half of a pause or more, as the ranges of the process name it that lie in it as a
/// whole: an operator, an annotation, NVTX.
struct PauseWork {
    std::string name;
    DurationNs time{0}; ///< in the pause, length of the union
};
[[nodiscard]] std::optional<PauseWork> workIn(const Trace& trace, ProcessIndex process, Interval pause);

} // namespace tacho
