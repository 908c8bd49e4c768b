// SPDX-License-Identifier: Apache-2.0
#include "analyzer/metrics/counter_summary.h"

#include <algorithm>
#include <array>

namespace tacho {

namespace {

constexpr std::string_view kThrottleCounter = "Throttle Reasons [mask]";

struct ThrottleReason {
    std::uint64_t bits; ///< of nvmlClocksEventReasons
    const char* name;
};
// The other bits do not hold a training back: an idle GPU, and clocks that somebody has set.
constexpr std::array<ThrottleReason, 4> kThrottleReasons = {
    {{0x4, "power limit"}, {0x20 | 0x40, "heat"}, {0x80, "power supply"}, {0x8, "hardware slowdown"}}};

/// Rows of the series in the window: first and one past the last.
std::pair<std::size_t, std::size_t> rowsIn(const CounterSeries& series, Interval window) {
    const auto first = std::lower_bound(series.time.begin(), series.time.end(), window.start);
    const auto last = std::upper_bound(first, series.time.end(), window.end);
    return {static_cast<std::size_t>(first - series.time.begin()),
            static_cast<std::size_t>(last - series.time.begin())};
}

double medianOf(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

void summariseThrottling(const CounterSeries& series, std::pair<std::size_t, std::size_t> rows,
                         CounterSummary& summary) {
    std::array<std::size_t, kThrottleReasons.size()> counts{};
    std::size_t throttled = 0;
    for (std::size_t row = rows.first; row < rows.second; ++row) {
        const auto mask = static_cast<std::uint64_t>(series.value[row]);
        bool isThrottled = false;
        for (std::size_t reason = 0; reason < kThrottleReasons.size(); ++reason)
            if ((mask & kThrottleReasons[reason].bits) != 0) {
                ++counts[reason];
                isThrottled = true;
            }
        throttled += isThrottled ? 1 : 0;
    }
    summary.throttled = static_cast<double>(throttled) / static_cast<double>(rows.second - rows.first);
    if (throttled > 0)
        summary.throttleReason =
            kThrottleReasons[static_cast<std::size_t>(std::max_element(counts.begin(), counts.end()) -
                                                      counts.begin())]
                .name;
}

} // namespace

const CounterFigures* CounterSummary::find(std::string_view name) const {
    const auto found = std::find_if(counters.begin(), counters.end(),
                                    [&](const CounterFigures& figures) { return figures.name == name; });
    return found == counters.end() ? nullptr : &*found;
}

CounterSummary summariseCounters(const Trace& trace, DeviceIndex device, Interval window) {
    CounterSummary summary;
    for (const CounterSeries& series : trace.counters) {
        const auto rows = rowsIn(series, window);
        if (series.device != device || rows.first == rows.second)
            continue;
        if (series.name == kThrottleCounter) {
            summariseThrottling(series, rows, summary);
            continue;
        }
        const auto first = series.value.begin();
        summary.counters.push_back({series.name, rows.second - rows.first,
                                    medianOf({first + static_cast<std::ptrdiff_t>(rows.first),
                                              first + static_cast<std::ptrdiff_t>(rows.second)}),
                                    *std::max_element(series.value.begin(), series.value.end())});
    }
    return summary;
}

} // namespace tacho
