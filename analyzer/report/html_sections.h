// SPDX-License-Identifier: Apache-2.0
// The parts of the HTML report, from top to bottom. Each is "" where the capture has nothing to show.
#pragma once

#include "analyzer/report/analysis.h"

#include <algorithm>
#include <span>
#include <string>

namespace tacho {

/// What is shown by device is shown of the first 8: as many columns fit on paper.
[[nodiscard]] inline std::span<const DeviceActivity> shownDevices(const Measurements& measurements) {
    return std::span(measurements.devices).first(std::min<std::size_t>(measurements.devices.size(), 8));
}

[[nodiscard]] std::string htmlVerdict(const Trace& trace, const Analysis& analysis);
[[nodiscard]] std::string htmlFindings(const Analysis& analysis);
[[nodiscard]] std::string htmlSteps(const Trace& trace, const Measurements& measurements);
[[nodiscard]] std::string htmlBreakdown(const Trace& trace, const Measurements& measurements);
[[nodiscard]] std::string htmlIdle(const Measurements& measurements);
[[nodiscard]] std::string htmlKernels(const Trace& trace, const Measurements& measurements);
[[nodiscard]] std::string htmlCopies(const Trace& trace, const Measurements& measurements);
[[nodiscard]] std::string htmlMemory(const Trace& trace, const Measurements& measurements);
[[nodiscard]] std::string htmlCounters(const Trace& trace, const Measurements& measurements);
[[nodiscard]] std::string htmlCapture(const Trace& trace);
[[nodiscard]] std::string htmlHealth(const Trace& trace);

} // namespace tacho
