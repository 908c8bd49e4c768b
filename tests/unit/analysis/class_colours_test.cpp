// SPDX-License-Identifier: Apache-2.0
#include "analyzer/report/class_colours.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace tacho {
namespace {

using Triple = std::array<double, 3>;
using Matrix = std::array<Triple, 3>;

struct Eye {
    const char* name;
    Matrix sees; ///< on linear RGB; Machado, Oliveira, Fernandes 2009, severity 1.0
};
constexpr Eye kEyes[] = {
    {"trichromat", {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}},
    {"protanope",
     {{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}}},
    {"deuteranope",
     {{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}}},
    {"tritanope",
     {{{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}}}};

constexpr Matrix kToXyz = {{{0.4124, 0.3576, 0.1805}, {0.2126, 0.7152, 0.0722}, {0.0193, 0.1192, 0.9505}}};
constexpr Triple kWhite = {0.9505, 1, 1.089};

Triple times(const Matrix& matrix, const Triple& vector) {
    Triple product{};
    for (std::size_t row = 0; row < 3; ++row)
        for (std::size_t i = 0; i < 3; ++i)
            product[row] += matrix[row][i] * vector[i];
    return product;
}

Triple linear(std::uint32_t colour) {
    Triple rgb{};
    for (std::size_t i = 0; i < 3; ++i) {
        const double value = ((colour >> (16 - 8 * i)) & 0xff) / 255.0;
        rgb[i] = value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
    }
    return rgb;
}

/// CIELAB of what an eye sees.
Triple seen(std::uint32_t colour, const Matrix& eye) {
    Triple rgb = times(eye, linear(colour));
    for (double& each : rgb)
        each = std::clamp(each, 0.0, 1.0);
    Triple f = times(kToXyz, rgb);
    for (std::size_t i = 0; i < 3; ++i) {
        const double t = f[i] / kWhite[i];
        f[i] = t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116;
    }
    return {116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])};
}

TEST(ClassColours, CanBeToldApartByColourBlindEyes) {
    for (const Eye& eye : kEyes)
        for (std::size_t a = 0; a < kStepClasses; ++a)
            for (std::size_t b = 0; b < a; ++b) {
                const Triple one = seen(colourOf(static_cast<StepClass>(a)), eye.sees);
                const Triple other = seen(colourOf(static_cast<StepClass>(b)), eye.sees);
                EXPECT_GE(std::hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2]), 8)
                    << titleOf(static_cast<StepClass>(a)) << ", " << titleOf(static_cast<StepClass>(b))
                    << ", " << eye.name;
            }
}

} // namespace
} // namespace tacho
