// SPDX-License-Identifier: Apache-2.0
// What the report says of the parts of a step, and of steps that differ.
#pragma once

#include "analyzer/metrics/measurements.h"

#include <string>

namespace tacho {

/// "60 (optimizer), 15 to 24 analysed: median 53.0 ms, p95 55.1 ms; ..."
[[nodiscard]] std::string stepsText(const StepSummary& steps);

/// "host code 36.1 ms, other kernels 11.2 ms": largest first; parts under a hundredth of all are left out.
[[nodiscard]] std::string partsText(const StepParts& parts);

/// "mean 53.0 ms: host code 36.1 ms, other kernels 11.2 ms, ..." of the analysed steps, on the device that
/// `activity` is of; "" without steps.
[[nodiscard]] std::string stepPartsText(const DeviceActivity& activity);

/// "host forward 12.3 ms (GPU work 20.0 %), ... a step" of the analysed steps, or of all if there are none;
/// "" if no phase is known.
[[nodiscard]] std::string phasesText(const PhaseSplit& phases, std::size_t steps);

/// "4 of 20 steps are slow (one in 5, from step 4): median 80.0 ms, 70.0 ms more in data loading"; "" if none
/// is.
[[nodiscard]] std::string variationText(const StepVariation& variation, std::size_t steps);

} // namespace tacho
