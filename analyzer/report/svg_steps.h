// SPDX-License-Identifier: Apache-2.0
// A bar per step, stacked by class.
#pragma once

#include "analyzer/metrics/measurements.h"
#include "analyzer/report/svg.h"

#include <string>

namespace tacho {

/// At most 200 bars: of more steps each bar is the longest of so many. Steps that are not analysed are pale,
/// slow ones have a mark, and steps much longer than the others are cut, with a mark and their length. ""
/// without steps.
[[nodiscard]] std::string svgSteps(const SvgTexts& texts, const StepSummary& summary,
                                   const DeviceActivity& activity);

/// How many steps a bar stands for.
[[nodiscard]] std::size_t stepsPerBar(const DeviceActivity& activity);

} // namespace tacho
