// SPDX-License-Identifier: Apache-2.0
// Whether some steps take longer than the others, which, and what they spend the time on.
#pragma once

#include "analyzer/metrics/step_breakdown.h"

#include <optional>
#include <span>
#include <vector>

namespace tacho {

/// A step is slow if it is longer than the median by five robust standard deviations (1.4826 median absolute
/// deviations: five of them leave one of two million steps of a normal distribution) and by a tenth: steps of
/// a quiet training differ by much less, and a tenth of a few steps is not worth a word.
struct StepVariation {
    DurationNs q1{0}, median{0}, q3{0};
    std::vector<std::int64_t> slow;    ///< StepMark::index, in the order of time
    DurationNs slowMedian{0};          ///< of the slow ones
    std::optional<std::int64_t> every; ///< slow steps come every so many, three times or more
    StepClass cause{};    ///< the class that grew most from the others to the slow ones, on average
    DurationNs growth{0}; ///< by how much
};

/// Of the steps of one device with an index from `first` to `last`. None is slow of less than five.
[[nodiscard]] StepVariation measureVariation(std::span<const StepTime> steps, std::int64_t first,
                                             std::int64_t last);

} // namespace tacho
