// SPDX-License-Identifier: Apache-2.0
#include "analyzer/rules/quantity_text.h"

#include <fmt/format.h>

namespace tacho {

std::string durationText(DurationNs duration) {
    const auto ns = static_cast<double>(duration.count());
    if (ns < 1e3)
        return fmt::format("{:.0f} ns", ns);
    if (ns < 1e6)
        return fmt::format("{:.{}f} us", ns / 1e3, ns < 1e4 ? 1 : 0);
    if (ns < 1e9)
        return fmt::format("{:.1f} ms", ns / 1e6);
    return fmt::format("{:.2f} s", ns / 1e9);
}

std::string percentText(double share) {
    const double percent = 100 * share;
    return fmt::format("{:.{}f} %", percent, percent < 10 ? 2 : 1);
}

std::string bytesText(std::int64_t bytes) {
    const auto value = static_cast<double>(bytes);
    if (value < 1e3)
        return fmt::format("{} B", bytes);
    if (value < 1e6)
        return fmt::format("{:.1f} kB", value / 1e3);
    return value < 1e9 ? fmt::format("{:.1f} MB", value / 1e6) : fmt::format("{:.1f} GB", value / 1e9);
}

std::string countText(std::int64_t count, const std::string& noun) {
    if (count == 1)
        return fmt::format("1 {}", noun);
    return noun.ends_with('y') ? fmt::format("{} {}ies", count, noun.substr(0, noun.size() - 1))
                               : fmt::format("{} {}s", count, noun);
}

} // namespace tacho
