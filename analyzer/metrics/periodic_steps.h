// SPDX-License-Identifier: Apache-2.0
// Training steps found without any mark: as the period of the sequence of kernels.
#pragma once

#include "analyzer/model/trace.h"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace tacho {

/// The shortest period of a sequence: the number of elements p after which nine of ten elements come again.
/// Nothing, if it repeats less than three times, or has fewer than `shortest` elements (a loop around one
/// kernel is no training step). Names that come once a period tell the candidates, so the cost is linear in
/// the sequence.
[[nodiscard]] std::optional<std::size_t> findPeriod(std::span<const StringId> sequence,
                                                    std::size_t shortest = 4);

/// Positions of the element that begins the periods: of those that come once a period the one before which
/// the host takes longest. `issued`: when the host issued each element. Empty: none comes once a period.
[[nodiscard]] std::vector<std::size_t> periodStarts(std::span<const StringId> sequence,
                                                    std::span<const TimeNs> issued, std::size_t period);

/// Steps of the busiest stream of the busiest device: each from one launch of a kernel that comes once a step
/// to its next, see periodStarts(). Sorted by start; empty if
/// nothing repeats.
[[nodiscard]] std::vector<StepMark> findPeriodicSteps(const Trace& trace);

} // namespace tacho
