// SPDX-License-Identifier: Apache-2.0
// Numbers as a JSON text spells them, without going through double: microseconds since 1970 with three
// decimals need 61 bits.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tacho {

/// Nanoseconds of a decimal number of microseconds: "1623143089861302" or "5127441.386" or "1.5e3". Rounds
/// what is below a nanosecond. Nothing if it is not a number or does not fit.
[[nodiscard]] std::optional<std::int64_t> nanosecondsOfMicroseconds(std::string_view text);

/// The integer that `text` starts with, in quotes or not ("-1", "7", "\"7\"", "7.0"). Nothing if there is
/// none, or if it does not fit.
[[nodiscard]] std::optional<std::int64_t> leadingInteger(std::string_view text);

} // namespace tacho
