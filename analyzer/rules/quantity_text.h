// SPDX-License-Identifier: Apache-2.0
// Numbers as people read them, the same in findings, verdict and report.
#pragma once

#include "analyzer/model/time.h"

#include <string>

namespace tacho {

[[nodiscard]] std::string durationText(DurationNs duration); ///< "920.9 ms", "14 us", "1.10 s"
[[nodiscard]] std::string percentText(double share);         ///< 0.843 -> "84.3 %"
[[nodiscard]] std::string bytesText(std::int64_t bytes); ///< "25.5 GB" (decimal units, as link speeds are)
[[nodiscard]] std::string countText(std::int64_t count, const std::string& noun); ///< "1 copy", "3 copies"

} // namespace tacho
