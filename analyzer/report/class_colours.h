// SPDX-License-Identifier: Apache-2.0
// The colour of each class of a step's time, the same in every picture that tacho draws.
#pragma once

#include "analyzer/metrics/step_breakdown.h"

#include <cstdint>

namespace tacho {

/// 0xRRGGBB, for light and dark grounds. Any two can be told apart by trichromats, protanopes, deuteranopes
/// and tritanopes: at least 8 apart in CIELAB, simulated after Machado et al. (2009). Blue: kernels; green:
/// copies; purple: communication; warm: the host keeps the GPU waiting; grey: cannot be told.
[[nodiscard]] std::uint32_t colourOf(StepClass of);

} // namespace tacho
