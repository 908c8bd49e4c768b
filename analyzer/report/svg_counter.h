// SPDX-License-Identifier: Apache-2.0
// A counter over time.
#pragma once

#include "analyzer/model/trace.h"
#include "analyzer/report/svg.h"

#include <string>

namespace tacho {

/// A line of means with a band from the lowest to the highest sample around it, over the time from the first
/// sample to the last; `window` is shaded. REQUIRES samples.
[[nodiscard]] std::string svgCounter(const SvgTexts& texts, const CounterSeries& series, Interval window);

} // namespace tacho
