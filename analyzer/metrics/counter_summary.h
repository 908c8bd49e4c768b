// SPDX-License-Identifier: Apache-2.0
// What the counters of a GPU say about a stretch of time.
#pragma once

#include "analyzer/model/trace.h"

#include <optional>
#include <string>
#include <vector>

namespace tacho {

struct CounterFigures {
    std::string name; ///< ends in its unit
    std::size_t samples = 0;
    double median = 0;
    double highest = 0; ///< of the whole capture: a peak of memory may lie outside of the window
};

struct CounterSummary {
    std::vector<CounterFigures> counters; ///< those with samples in the window
    /// Share of the samples at which the clock was held back, 0 to 1; absent: not known.
    std::optional<double> throttled;
    std::string throttleReason; ///< the most frequent: "power limit"; empty: never throttled

    [[nodiscard]] const CounterFigures* find(std::string_view name) const;
};

[[nodiscard]] CounterSummary summariseCounters(const Trace& trace, DeviceIndex device, Interval window);

} // namespace tacho
