// SPDX-License-Identifier: Apache-2.0
#include "analyzer/report/svg.h"

#include "analyzer/report/html_text.h"

#include <fmt/format.h>

#include <cmath>

namespace tacho {
namespace {

constexpr int kAxisWidth = 72;

} // namespace

std::string svgPicture(const SvgTexts& texts, int height, const std::string& content) {
    return fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" class=\"picture\" "
                       "aria-labelledby=\"{0}-title {0}-desc\" width=\"100%\" height=\"{1}\">"
                       "<title id=\"{0}-title\">{2}</title><desc id=\"{0}-desc\">{3}</desc>\n{4}</svg>\n",
                       texts.id, height, htmlEscaped(texts.title), htmlEscaped(texts.description), content);
}

double SvgAxis::tickDistance() const {
    const double rough = most / 5;
    const double power = std::pow(10, std::floor(std::log10(rough)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= rough)
            return factor * power;
    return 10 * power;
}

std::string svgAxis(const SvgAxis& axis, int height, std::string (*label)(double)) {
    std::string svg;
    for (double value = 0; value <= axis.most; value += axis.tickDistance())
        svg += fmt::format("<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>", kAxisWidth - 6,
                           axis.y(value) + 4, htmlEscaped(label(value)));
    return fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"axis\" aria-hidden=\"true\" "
                       "width=\"{}\" height=\"{}\">{}</svg>",
                       kAxisWidth, height, svg);
}

std::string svgGrid(const SvgAxis& axis) {
    std::string svg;
    for (double value = 0; value <= axis.most; value += axis.tickDistance())
        svg += fmt::format("<line class=\"grid\" x1=\"0\" x2=\"100%\" y1=\"{0:.1f}\" y2=\"{0:.1f}\"/>",
                           axis.y(value));
    return svg;
}

std::string svgPlot(const std::string& axis, const std::string& picture) {
    return "<div class=\"plot\">" + axis + picture + "</div>\n";
}

} // namespace tacho
