// SPDX-License-Identifier: Apache-2.0
// Medians and their like.
#pragma once

#include "analyzer/model/time.h"

#include <vector>

namespace tacho {

/// The value below which `fraction` (0 to 1) of all lie, one of them; 0 of none.
[[nodiscard]] DurationNs quantile(std::vector<DurationNs> values, double fraction);

} // namespace tacho
