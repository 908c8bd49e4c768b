// SPDX-License-Identifier: Apache-2.0
// CUPTI's version numbers (cuptiGetVersion), as far as what we read depends on them.
#pragma once

#include <cstdint>

namespace tacho::cupti_version {

// CUPTI counted 1, 2, 3 ... until CUDA 12.9; since 13.0 it writes the toolkit's version: 130001 is in 13.0.
inline constexpr std::uint32_t kCuda118 = 18; ///< the oldest whose records we read
inline constexpr std::uint32_t kCuda120 = 19;
inline constexpr std::uint32_t kCuda123 = 21; ///< graph records have the device on which the graph ends
inline constexpr std::uint32_t kCuda124 = 22; ///< overheads carry a call and details from here on
inline constexpr std::uint32_t kCuda126 = 24; ///< may be finalised in programs with CUDA graphs from here on
inline constexpr std::uint32_t kCuda128 = 26; ///< synchronisation records have an event's id from here on
inline constexpr std::uint32_t kCuda130 = 130'000;
/// The first one whose records nobody has compared with ours. It is read as the ones before: so far, versions
/// only appended fields.
inline constexpr std::uint32_t kUnknown = 130'500;

} // namespace tacho::cupti_version
