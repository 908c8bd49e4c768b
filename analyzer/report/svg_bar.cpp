// SPDX-License-Identifier: Apache-2.0
#include "analyzer/report/svg_bar.h"

#include "analyzer/rules/quantity_text.h"

#include <fmt/format.h>

namespace tacho {
namespace {

constexpr int kHeight = 34;
constexpr double kLeastLabelled = 0.1; ///< of the bar: "12.3 %" fits on a phone

std::string pieceOf(StepClass of, double from, double share, DurationNs time) {
    std::string svg = fmt::format("<rect class=\"piece c-{}\" x=\"{:.3f}%\" width=\"{:.3f}%\" height=\"{}\">"
                                  "<title>{} {}, {}</title></rect>",
                                  nameOf(of), 100 * from, 100 * share, kHeight, titleOf(of),
                                  durationText(time), percentText(share));
    if (share >= kLeastLabelled)
        svg +=
            fmt::format("<text class=\"t-{}\" x=\"{:.3f}%\" y=\"{}\" text-anchor=\"middle\">{:.0f} %</text>",
                        nameOf(of), 100 * (from + share / 2), kHeight / 2 + 5, 100 * share);
    return svg + "\n";
}

} // namespace

std::string svgBar(const SvgTexts& texts, const StepParts& parts) {
    const DurationNs whole = totalOf(parts);
    if (whole.count() <= 0)
        return "";
    std::string svg;
    double from = 0;
    for (std::size_t part = 0; part < kStepClasses; ++part) {
        const double share = static_cast<double>(parts[part].count()) / static_cast<double>(whole.count());
        if (share > 0)
            svg += pieceOf(static_cast<StepClass>(part), from, share, parts[part]);
        from += share;
    }
    return svgPicture(texts, kHeight, svg);
}

std::string svgShare(StepClass of, double share) {
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"share\" aria-hidden=\"true\" "
        "width=\"100%\" height=\"12\"><rect class=\"c-{}\" width=\"{:.2f}%\" height=\"12\"/></svg>",
        nameOf(of), 100 * share);
}

} // namespace tacho
