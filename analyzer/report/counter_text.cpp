// SPDX-License-Identifier: Apache-2.0
#include "analyzer/report/counter_text.h"

#include "analyzer/rules/quantity_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace tacho {

namespace {

struct ShownCounter {
    const char* name;
    const char* label;
    const char* unit;
    double scale = 1; ///< of a value, to the unit
};
constexpr std::array<ShownCounter, 6> kShown = {{
    {"SMs Active [Throughput %]", "SM active", "%"},
    {"Tensor Active [Throughput %]", "tensor active", "%"},
    {"DRAM Read Bandwidth [Throughput %]", "DRAM read", "%"},
    {"DRAM Write Bandwidth [Throughput %]", "DRAM write", "%"},
    {"SM Clock [MHz]", "SM clock", "MHz"},
    {"Power [mW]", "power", "W", 1e-3},
}};
constexpr std::string_view kMemory = "Memory Used [bytes]";

std::string rangeText(double lowest, double highest) {
    const double low = std::round(lowest), high = std::round(highest);
    return low == high ? fmt::format("{:.0f}", low) : fmt::format("{:.0f} to {:.0f}", low, high);
}

void append(std::string& text, const std::string& part) {
    text += (text.empty() ? "" : ", ") + part;
}

void appendMedians(std::string& text, const ShownCounter& shown, const Measurements& measurements) {
    std::vector<double> medians;
    for (const DeviceActivity& activity : measurements.devices)
        if (const CounterFigures* figures = activity.counters.find(shown.name))
            medians.push_back(figures->median * shown.scale);
    if (medians.empty())
        return;
    const auto [lowest, highest] = std::minmax_element(medians.begin(), medians.end());
    append(text, fmt::format("{} {} {}", shown.label, rangeText(*lowest, *highest), shown.unit));
}

void appendMemory(std::string& text, const Measurements& measurements) {
    double peak = 0;
    for (const DeviceActivity& activity : measurements.devices)
        if (const CounterFigures* figures = activity.counters.find(kMemory))
            peak = std::max(peak, figures->highest);
    if (peak > 0)
        append(text, "memory peak " + bytesText(static_cast<std::int64_t>(peak)));
}

/// Of the device that is throttled most.
void appendThrottling(std::string& text, const Measurements& measurements) {
    const CounterSummary* worst = nullptr;
    for (const DeviceActivity& activity : measurements.devices)
        if (activity.counters.throttled && (!worst || *activity.counters.throttled > *worst->throttled))
            worst = &activity.counters;
    if (worst && *worst->throttled > 0)
        append(text, fmt::format("throttled {:.0f} % of the time ({})", 100 * *worst->throttled,
                                 worst->throttleReason));
    else if (worst)
        append(text, "never throttled");
}

} // namespace

std::string countersText(const Measurements& measurements) {
    std::string text;
    for (const ShownCounter& shown : kShown)
        appendMedians(text, shown, measurements);
    appendThrottling(text, measurements);
    appendMemory(text, measurements);
    return text;
}

} // namespace tacho
