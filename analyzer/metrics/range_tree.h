// SPDX-License-Identifier: Apache-2.0
// How ranges of a thread nest, and which of them launched a piece of GPU work.
#pragma once

#include "analyzer/model/trace.h"

#include <cstdint>
#include <initializer_list>
#include <vector>

namespace tacho {

/// Of the ranges of some kinds; those of others take no part. All rows are kNoRow where there is none.
/// A range's parent is the innermost one of its thread that it lies in as a whole: ranges that merely overlap
/// (start/end ranges may) are not parent and child.
struct RangeTree {
    std::vector<std::uint32_t> parent;    ///< by row of Trace::ranges
    std::vector<std::uint32_t> level;     ///< by row of Trace::ranges: number of ancestors
    std::vector<std::uint32_t> children;  ///< by row of Trace::ranges: how many have it as parent
    std::vector<std::uint32_t> innermost; ///< by row of Trace::apiCalls: the one in which the call began

    /// Row of Trace::ranges in which the work was launched, or kNoRow. Ask parent for the others.
    [[nodiscard]] std::uint32_t launcherOf(const Trace& trace, std::size_t gpuOp) const {
        const std::uint32_t call = trace.gpuOps.launch[gpuOp];
        return call == kNoRow ? kNoRow : innermost[call];
    }
};

/// One pass over ranges and calls; each costs as much as ranges are open at once in its thread.
[[nodiscard]] RangeTree buildRangeTree(const Trace& trace, std::initializer_list<RangeKind> kinds);

} // namespace tacho
