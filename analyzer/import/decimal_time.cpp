// SPDX-License-Identifier: Apache-2.0
#include "analyzer/import/decimal_time.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string>

namespace tacho {

namespace {

constexpr std::int64_t kNsPerUs = 1000;
constexpr std::string_view kDigits = "0123456789";
constexpr std::string_view kSpace = " \t\r\n";

std::string_view trimmed(std::string_view text) {
    text.remove_prefix(std::min(text.find_first_not_of(kSpace), text.size()));
    return text.substr(0, text.find_last_not_of(kSpace) + 1);
}

std::optional<std::int64_t> ofScientific(std::string_view text) {
    const double us = std::strtod(std::string(text).c_str(), nullptr);
    if (!(std::abs(us) < 9e15))
        return std::nullopt;
    return std::llround(us * kNsPerUs);
}

/// Of the digits after the point: "386" is 386, "3" is 300, "3865" is 387.
std::int64_t nanosecondsOfFraction(std::string_view digits) {
    std::int64_t ns = 0;
    for (std::size_t i = 0; i < 3; ++i)
        ns = ns * 10 + (i < digits.size() ? digits[i] - '0' : 0);
    return ns + (digits.size() > 3 && digits[3] >= '5');
}

} // namespace

std::optional<std::int64_t> nanosecondsOfMicroseconds(std::string_view text) {
    text = trimmed(text);
    if (text.find_first_of("eE") != std::string_view::npos)
        return ofScientific(text);
    const bool isNegative = !text.empty() && text.front() == '-';
    if (isNegative)
        text.remove_prefix(1);
    std::int64_t whole = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), whole);
    if (error != std::errc() || whole < 0)
        return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    std::int64_t fraction = 0;
    if (!text.empty()) {
        if (text.front() != '.' || text.find_first_not_of(kDigits, 1) != std::string_view::npos)
            return std::nullopt;
        fraction = nanosecondsOfFraction(text.substr(1));
    }
    std::int64_t ns = 0;
    if (__builtin_mul_overflow(whole, kNsPerUs, &ns) || __builtin_add_overflow(ns, fraction, &ns))
        return std::nullopt;
    return isNegative ? -ns : ns;
}

std::optional<std::int64_t> leadingInteger(std::string_view text) {
    text = trimmed(text);
    if (!text.empty() && text.front() == '"')
        text.remove_prefix(1);
    std::int64_t number = 0;
    if (std::from_chars(text.data(), text.data() + text.size(), number).ec != std::errc())
        return std::nullopt;
    return number;
}

} // namespace tacho
