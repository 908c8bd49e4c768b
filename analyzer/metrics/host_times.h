// SPDX-License-Identifier: Apache-2.0
// When the host did what keeps it from launching: the material for telling why a GPU was idle.
#pragma once

#include "analyzer/metrics/intervals.h"
#include "analyzer/model/trace.h"

#include <unordered_map>
#include <vector>

namespace tacho {

/// Of one process, all its threads together.
struct ProcessTimes {
    IntervalSet codeLoading;   ///< GPU code is loaded or compiled, a slow first launch of a kernel included
    IntervalSet profiling;     ///< what the profiler took for itself, as far as it says
    IntervalSet communication; ///< in gloo or MPI
    IntervalSet dataLoading;   ///< see dataLoadingRanges()
};
/// Indexed by ProcessIndex.
[[nodiscard]] std::vector<ProcessTimes> gatherProcessTimes(const Trace& trace);

/// Ranges in which the host waits for input: a DataLoader's next, or named so. Indexed by ProcessIndex.
[[nodiscard]] std::vector<IntervalSet> dataLoadingRanges(const Trace& trace);

/// Calls of one host thread that keep it from launching.
struct ThreadCalls {
    IntervalSet copies, allocations, syncs;
    IntervalSet others; ///< neither of these, nor launches, loads or sets
};
[[nodiscard]] std::unordered_map<ThreadIndex, ThreadCalls> gatherThreadCalls(const Trace& trace);

} // namespace tacho
