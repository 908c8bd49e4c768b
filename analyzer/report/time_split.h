// SPDX-License-Identifier: Apache-2.0
// Where the analysed time went, every nanosecond in exactly one part: what the bar shows and the verdict
// weighs.
#pragma once

#include "analyzer/metrics/measurements.h"

#include <array>
#include <string_view>

namespace tacho {

enum class TimePart : std::uint8_t {
    Compute,       ///< kernels that are not communication
    Communication, ///< not hidden behind compute, copies between GPUs too; or the GPU idle in gloo or MPI
    Copy,          ///< host copies not hidden behind kernels, or the GPU idle in a copying call
    OtherWork,     ///< copies on the device and sets
    Input,         ///< idle while the host loaded data
    Sync,          ///< idle because the host had waited for the GPU
    Dependency,    ///< idle, though the next work was there: it waited for a stream or an event
    Startup,       ///< idle while GPU code was loaded or compiled
    Host,          ///< idle while the host did anything else
    Untold,        ///< idle, and the file does not hold the launches
};
inline constexpr std::size_t kTimeParts = 10;

[[nodiscard]] std::string_view nameOf(TimePart part);
[[nodiscard]] char letterOf(TimePart part); ///< in the bar

/// Invariant: adds up to the window.
using TimeSplit = std::array<DurationNs, kTimeParts>;
[[nodiscard]] TimeSplit splitTime(const DeviceActivity& activity);

/// Shares of all devices together, 0 to 1.
using TimeShares = std::array<double, kTimeParts>;
[[nodiscard]] TimeShares shareTime(const Measurements& measurements);

} // namespace tacho
