// SPDX-License-Identifier: Apache-2.0
#include "analyzer/report/svg_steps.h"

#include "analyzer/report/html_text.h"
#include "analyzer/report/step_text.h"
#include "analyzer/rules/quantity_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace tacho {
namespace {

constexpr std::size_t kMostBars = 200;
constexpr int kHeight = 250, kTop = 26, kBottom = 205; // pixels; the bars stand between the last two
constexpr double kFewestSlots = 10;                    // so that few bars are not as wide as they are high
constexpr double kGap = 0.15;                          // of the distance of two bars
constexpr double kCutAbove = 3, kCutTo = 2;            // medians; shorter axes show the usual step well
constexpr double kLabelRoom = 14;                      // percent of the width
constexpr double kLabels = 8;                          // below the bars, at most

struct StepBar {
    const StepTime* step;
    double x; ///< percent
};

struct StepPicture {
    const StepSummary& summary;
    const DeviceActivity& activity;
    std::vector<StepBar> bars;
    double width = 0; ///< of a bar and its gap, percent
    SvgAxis axis;

    [[nodiscard]] bool isAnalysed(const StepBar& bar) const {
        return bar.step->index >= summary.firstSteady && bar.step->index <= summary.lastSteady;
    }
    [[nodiscard]] bool isSlow(const StepBar& bar) const {
        const auto& slow = activity.variation.slow;
        return std::binary_search(slow.begin(), slow.end(), bar.step->index);
    }
    [[nodiscard]] double middle(const StepBar& bar) const { return bar.x + width / 2; }
};

double milliseconds(DurationNs time) {
    return static_cast<double>(time.count()) / 1e6;
}
double lengthOf(const StepBar& bar) {
    return milliseconds(bar.step->interval.length());
}

std::vector<StepBar> chooseBars(const std::vector<StepTime>& steps, std::size_t perBar) {
    std::vector<StepBar> bars;
    for (std::size_t first = 0; first < steps.size(); first += perBar) {
        const auto begin = steps.begin() + static_cast<std::ptrdiff_t>(first);
        const auto end = begin + static_cast<std::ptrdiff_t>(std::min(perBar, steps.size() - first));
        const auto longest = std::max_element(begin, end, [](const StepTime& a, const StepTime& b) {
            return a.interval.length() < b.interval.length();
        });
        bars.push_back({&*longest, 0});
    }
    return bars;
}

/// Where steps in between were not recorded, there is a gap as wide as a bar.
void placeBars(StepPicture& picture, std::size_t perBar) {
    std::vector<StepBar>& bars = picture.bars;
    double slots = 0;
    for (std::size_t i = 0; i < bars.size(); ++i) {
        const auto distance = i == 0 ? 1 : bars[i].step->index - bars[i - 1].step->index;
        if (distance > 2 * static_cast<std::int64_t>(perBar) - 1)
            ++slots;
        bars[i].x = slots++;
    }
    picture.width = 100 / std::max(slots, kFewestSlots);
    for (StepBar& bar : bars)
        bar.x *= picture.width;
}

double axisEnd(const StepPicture& picture) {
    double longest = 0;
    for (const StepBar& bar : picture.bars)
        longest = std::max(longest, lengthOf(bar));
    const double median = milliseconds(picture.activity.variation.median);
    return median > 0 && longest > kCutAbove * median ? kCutTo * median : std::max(longest, 1e-6);
}

/// A stack; one that is too long fills the height in proportion and has a break.
std::string stackOf(const StepPicture& picture, const StepBar& bar) {
    const double length = std::max(lengthOf(bar), 1e-9);
    const double scale = std::min(1.0, picture.axis.most / length);
    std::string svg =
        fmt::format("<g{}><title>step {}, {}: {}</title>", picture.isAnalysed(bar) ? "" : " class=\"pale\"",
                    bar.step->index, durationText(bar.step->interval.length()), partsText(bar.step->parts));
    double below = 0;
    const double x = bar.x + picture.width * kGap / 2, width = picture.width * (1 - kGap);
    for (std::size_t part = kStepClasses; part-- > 0;) {
        const double time = milliseconds(bar.step->parts[part]) * scale;
        if (time <= 0)
            continue;
        const double top = picture.axis.y(below + time);
        svg += fmt::format(
            "<rect class=\"c-{}\" x=\"{:.3f}%\" y=\"{:.2f}\" width=\"{:.3f}%\" height=\"{:.2f}\"/>",
            nameOf(static_cast<StepClass>(part)), x, top, width, picture.axis.y(below) - top);
        below += time;
    }
    if (scale < 1)
        for (const int y : {kTop + 12, kTop + 18})
            svg += fmt::format(
                "<rect class=\"paper\" x=\"{:.3f}%\" y=\"{}\" width=\"{:.3f}%\" height=\"3\"/>", x, y, width);
    return svg + "</g>\n";
}

std::string_view anchorAt(double x) {
    return x < kLabelRoom / 2 ? "start" : x > 100 - kLabelRoom / 2 ? "end" : "middle";
}

/// Lengths of what is cut, and marks of slow steps, as far as there is room for them.
std::string marksOf(const StepPicture& picture) {
    std::string svg;
    double free = 0;
    for (const StepBar& bar : picture.bars) {
        const double x = picture.middle(bar);
        const bool isCut = lengthOf(bar) > picture.axis.most;
        if (picture.isSlow(bar))
            svg += fmt::format("<text class=\"slow\" x=\"{:.3f}%\" y=\"{:.1f}\" text-anchor=\"middle\">"
                               "\xe2\x96\xbc</text>",
                               x, picture.axis.y(std::min(lengthOf(bar), picture.axis.most)) - 3);
        if (isCut && x >= free) {
            svg += fmt::format("<text x=\"{:.3f}%\" y=\"12\" text-anchor=\"{}\">{}</text>", x, anchorAt(x),
                               durationText(bar.step->interval.length()));
            free = x + kLabelRoom;
        }
    }
    return svg;
}

std::string indicesOf(const StepPicture& picture) {
    std::string svg;
    double free = 0;
    for (const StepBar& bar : picture.bars)
        if (const double x = picture.middle(bar); x >= free) {
            svg += fmt::format("<text x=\"{:.3f}%\" y=\"{}\" text-anchor=\"{}\">{}</text>", x, kBottom + 16,
                               anchorAt(x), bar.step->index);
            free = x + 100 / kLabels;
        }
    return svg;
}

/// A line under bars that the figures leave out.
std::string leftOut(const StepPicture& picture) {
    std::string svg;
    const auto& bars = picture.bars;
    for (std::size_t i = 0; i < bars.size();) {
        std::size_t end = i;
        while (end < bars.size() && !picture.isAnalysed(bars[end]))
            ++end;
        if (end > i) {
            const bool isWarmUp = bars[i].step->index < picture.summary.firstSteady;
            const double to = bars[end - 1].x + picture.width;
            svg +=
                fmt::format("<rect class=\"left-out\" x=\"{:.3f}%\" y=\"{}\" width=\"{:.3f}%\" height=\"3\"/>"
                            "<text x=\"{:.3f}%\" y=\"{}\" text-anchor=\"{}\">{}</text>",
                            bars[i].x, kBottom + 22, to - bars[i].x, isWarmUp ? bars[i].x : to, kHeight - 6,
                            isWarmUp ? "start" : "end",
                            isWarmUp && !picture.summary.isChosen ? "warm-up" : "not analysed");
        }
        i = end + 1;
    }
    return svg;
}

std::string medianLine(const StepPicture& picture) {
    const DurationNs median = picture.activity.variation.median;
    if (median.count() <= 0)
        return "";
    const double y = picture.axis.y(milliseconds(median));
    return fmt::format("<line class=\"median\" x1=\"0\" x2=\"100%\" y1=\"{0:.1f}\" y2=\"{0:.1f}\"/>", y);
}

std::string axisLabel(double ms) {
    return ms == 0 ? "0" : durationText(DurationNs{static_cast<std::int64_t>(ms * 1e6)});
}

} // namespace

std::size_t stepsPerBar(const DeviceActivity& activity) {
    return (activity.steps.size() + kMostBars - 1) / kMostBars;
}

std::string svgSteps(const SvgTexts& texts, const StepSummary& summary, const DeviceActivity& activity) {
    if (activity.steps.empty())
        return "";
    StepPicture picture{summary, activity, chooseBars(activity.steps, stepsPerBar(activity)), 0, {}};
    placeBars(picture, stepsPerBar(activity));
    picture.axis = {axisEnd(picture), kTop, kBottom};
    std::string svg = svgGrid(picture.axis);
    for (const StepBar& bar : picture.bars)
        svg += stackOf(picture, bar);
    svg += medianLine(picture) + marksOf(picture) + indicesOf(picture) + leftOut(picture);
    return svgPlot(svgAxis(picture.axis, kHeight, axisLabel), svgPicture(texts, kHeight, svg));
}

} // namespace tacho
