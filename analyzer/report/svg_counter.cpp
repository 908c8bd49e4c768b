// SPDX-License-Identifier: Apache-2.0
#include "analyzer/report/svg_counter.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace tacho {
namespace {

constexpr int kHeight = 110, kTop = 10, kBottom = 100;
constexpr std::size_t kColumns = 240;

/// Of the samples in one column of the picture.
struct PixelColumn {
    std::size_t samples = 0;
    double sum = 0, lowest = 0, highest = 0;

    void add(double value) {
        lowest = samples == 0 ? value : std::min(lowest, value);
        highest = samples == 0 ? value : std::max(highest, value);
        sum += value;
        ++samples;
    }
};

/// 0 to 1 over the samples.
double position(const CounterSeries& series, TimeNs time) {
    const auto length = static_cast<double>((series.time.back() - series.time.front()).count());
    return length <= 0
               ? 0
               : std::clamp(static_cast<double>((time - series.time.front()).count()) / length, 0.0, 1.0);
}

std::vector<PixelColumn> columnsOf(const CounterSeries& series) {
    std::vector<PixelColumn> columns(kColumns);
    for (std::size_t i = 0; i < series.time.size(); ++i) {
        const double at = position(series, series.time[i]) * (kColumns - 1);
        columns[static_cast<std::size_t>(at)].add(series.value[i]);
    }
    return columns;
}

/// In units of a column and of pixels.
std::string curves(const std::vector<PixelColumn>& columns, const SvgAxis& axis) {
    std::string line, upper, lower;
    for (std::size_t i = 0; i < columns.size(); ++i)
        if (const PixelColumn& column = columns[i]; column.samples > 0) {
            line += fmt::format("{},{:.1f} ", i, axis.y(column.sum / static_cast<double>(column.samples)));
            upper += fmt::format("{},{:.1f} ", i, axis.y(column.highest));
            lower.insert(0, fmt::format("{},{:.1f} ", i, axis.y(column.lowest)));
        }
    return fmt::format(
        "<svg viewBox=\"0 0 {} {}\" preserveAspectRatio=\"none\" width=\"100%\" height=\"{}\">"
        "<polygon class=\"band\" points=\"{}{}\"/><polyline class=\"curve\" points=\"{}\"/></svg>",
        kColumns - 1, kHeight, kHeight, upper, lower, line);
}

std::string axisLabel(double value) {
    return value >= 1e9   ? fmt::format("{:g} G", value / 1e9)
           : value >= 1e6 ? fmt::format("{:g} M", value / 1e6)
           : value >= 1e4 ? fmt::format("{:g} k", value / 1e3)
                          : fmt::format("{:g}", value);
}

} // namespace

std::string svgCounter(const SvgTexts& texts, const CounterSeries& series, Interval window) {
    const double highest = *std::max_element(series.value.begin(), series.value.end());
    const SvgAxis axis{highest > 0 ? highest : 1, kTop, kBottom};
    const double from = position(series, window.start), to = position(series, window.end);
    const std::string shade =
        fmt::format("<rect class=\"window\" x=\"{:.2f}%\" width=\"{:.2f}%\" y=\"{}\" height=\"{}\"/>",
                    100 * from, 100 * (to - from), kTop, kBottom - kTop);
    return svgPlot(svgAxis(axis, kHeight, axisLabel),
                   svgPicture(texts, kHeight, shade + svgGrid(axis) + curves(columnsOf(series), axis)));
}

} // namespace tacho
