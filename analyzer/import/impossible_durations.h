// SPDX-License-Identifier: Apache-2.0
// GPU work that cannot have taken as long as the file says.
#pragma once

#include "analyzer/model/trace.h"

namespace tacho {

/// A stream does one thing at a time. A row of gpuOps is taken out of the trace if it runs into a row of its
/// stream by more than 100 us (programmatic dependent launch: a few us), is the longer of the two, takes at
/// least 10 ms, and ten times the median of its kind: of the rows of its name, or, where fewer than four have
/// it, of all work of that kind. Nodes of CUDA graphs, and rows that share a correlation id, may run at once.
/// What is only long stays: a collective may wait for a late rank. Counted in the health notes as
/// "impossible_duration". The trace has to be complete, as completeTables() leaves it. O(n log n).
void setAsideImpossibleDurations(Trace& trace);

} // namespace tacho
