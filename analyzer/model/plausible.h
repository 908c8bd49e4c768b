// SPDX-License-Identifier: Apache-2.0
// Bounds of what a file may state. What is beyond them is garbage, and arithmetic on it would overflow.
#pragma once

#include <algorithm>
#include <cstdint>

namespace tacho {

/// The year 2096 in UTC: later than any clock shows, and sums of two do not overflow.
inline constexpr std::int64_t kMostTimeNs = 4'000'000'000'000'000'000;
/// A year: longer than any event of a trace takes.
inline constexpr std::int64_t kMostLengthNs = 31'536'000'000'000'000;
/// More than any memory holds.
inline constexpr std::int64_t kMostBytes = std::int64_t{1} << 48;

[[nodiscard]] constexpr bool isPlausibleTime(std::int64_t ns) {
    return ns >= -kMostTimeNs && ns <= kMostTimeNs;
}
/// REQUIRES start <= end.
[[nodiscard]] constexpr bool isPlausible(std::int64_t startNs, std::int64_t endNs) {
    return isPlausibleTime(startNs) && isPlausibleTime(endNs) && endNs - startNs <= kMostLengthNs;
}
/// 0 of an impossible size.
[[nodiscard]] constexpr std::int64_t plausibleBytes(std::int64_t bytes) {
    return bytes < 0 || bytes > kMostBytes ? 0 : bytes;
}

} // namespace tacho
