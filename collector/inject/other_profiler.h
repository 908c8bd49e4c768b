// SPDX-License-Identifier: Apache-2.0
// Which other profiler is in this process.
#pragma once

#include "collector/inject/cupti_api.h"

#include <cstddef>

namespace tacho {

/// Writes a sentence to `text`: who uses CUPTI in this process, which has just refused us, and what is lost.
/// The name is CUPTI's own where it tells one (13.0 and later), else it is a guess from the libraries that
/// are loaded (`maps` is "/proc/self/maps").
void describeOtherProfiler(const CuptiApi& api, const char* maps, char* text, std::size_t size) noexcept;

} // namespace tacho
