// SPDX-License-Identifier: Apache-2.0
// Training steps as the period of the collectives, where the kernels show none.
#pragma once

#include "analyzer/model/trace.h"

#include <vector>

namespace tacho {

/// Steps of the process that tells of most collectives, from a call that comes once a period to the next: by
/// kind, size and group; where no call is in the file, by name and launch shape of the kernels (the number of
/// channels grows with the size). Gradients have the same sizes in each step, whatever shapes the batches
/// have. A period may be a single collective if those come at even distances. Sorted by start; empty if
/// nothing repeats.
[[nodiscard]] std::vector<StepMark> findCollectiveSteps(const Trace& trace);

} // namespace tacho
