// SPDX-License-Identifier: Apache-2.0
// One bar, split by class: where a step's time went.
#pragma once

#include "analyzer/metrics/step_breakdown.h"
#include "analyzer/report/svg.h"

#include <string>

namespace tacho {

/// Lying, as wide as its place; pieces of a tenth and more have their share written on them. "" of no time.
[[nodiscard]] std::string svgBar(const SvgTexts& texts, const StepParts& parts);

/// A plain bar of the class's colour, `share` (0 to 1) of its place long; says nothing that is not beside it.
[[nodiscard]] std::string svgShare(StepClass of, double share);

} // namespace tacho
