// SPDX-License-Identifier: Apache-2.0
// Sentences on collectives for reports.
#pragma once

#include "analyzer/metrics/measurements.h"

#include <string>

namespace tacho {

/// The collectives that take most time, and what they cost the kernels beside them; "" if there are none.
[[nodiscard]] std::string collectivesText(const Trace& trace, const Measurements& measurements);

} // namespace tacho
