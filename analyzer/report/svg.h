// SPDX-License-Identifier: Apache-2.0
// Inline SVG that fills the width of its place: x in percent of it, y in pixels, so that texts and lines keep
// their size on any screen.
#pragma once

#include <string>
#include <string_view>

namespace tacho {

struct SvgTexts {
    std::string id; ///< unique in the page
    std::string title;
    std::string description; ///< what the picture shows, for those who cannot see it
};

/// The texts are escaped here, `content` is SVG.
[[nodiscard]] std::string svgPicture(const SvgTexts& texts, int height, const std::string& content);

/// Labels of an upright axis, to be put left of a picture of the same height; y of its ends in pixels.
struct SvgAxis {
    double most = 1; ///< at `top`; 0 is at `bottom`
    int top = 0, bottom = 0;
    [[nodiscard]] double y(double value) const { return bottom - (bottom - top) * value / most; }
    [[nodiscard]] double tickDistance() const; ///< 1, 2 or 5 times a power of ten; 3 to 6 of them fit
};
/// `label` says a value.
[[nodiscard]] std::string svgAxis(const SvgAxis& axis, int height, std::string (*label)(double));
[[nodiscard]] std::string svgGrid(const SvgAxis& axis);

/// A picture with its axis.
[[nodiscard]] std::string svgPlot(const std::string& axis, const std::string& picture);

} // namespace tacho
