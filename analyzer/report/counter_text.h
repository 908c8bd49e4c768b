// SPDX-License-Identifier: Apache-2.0
// The line of the text report about GPU counters.
#pragma once

#include "analyzer/metrics/measurements.h"

#include <string>

namespace tacho {

/// "SM active 62 to 65 %, memory peak 41.2 GB, ...": the lowest to the highest median of all devices. Empty:
/// there are no counters.
[[nodiscard]] std::string countersText(const Measurements& measurements);

} // namespace tacho
