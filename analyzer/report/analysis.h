// SPDX-License-Identifier: Apache-2.0
// A trace, judged: what every report and view shows.
#pragma once

#include "analyzer/report/verdict.h"

namespace tacho {

struct Analysis {
    Measurements measurements;
    std::vector<Finding> findings; ///< that of the verdict first, then by share of time
    Verdict verdict;
};

/// Pure; any number of threads may analyse. `range`: the steps to analyse, see summariseSteps().
[[nodiscard]] Analysis analyse(const Trace& trace, std::optional<StepRange> range = {});

} // namespace tacho
