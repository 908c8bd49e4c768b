// SPDX-License-Identifier: Apache-2.0
// Names of collectives.
#pragma once

#include "analyzer/model/trace.h"

#include <string_view>

namespace tacho {

/// Of any name that a library, a framework or a kernel gives it: "ncclAllReduce", "nccl:_all_gather_base",
/// "MPI_Bcast", "ncclDevKernel_ReduceScatter_Sum_f32_RING_LL". Ignores case.
[[nodiscard]] CollectiveKind collectiveKindOf(std::string_view name);

[[nodiscard]] std::string_view nameOf(CollectiveKind kind); ///< in files and for people: "all_reduce"

/// What a byte of the size costs the busiest link, by which nccl-tests turns algorithm bandwidth into bus
/// bandwidth: 2 (n - 1) / n for all-reduce, (n - 1) / n for all-gather, reduce-scatter and all-to-all, gather
/// and scatter, 1 for the others (https://github.com/NVIDIA/nccl-tests/blob/master/doc/PERFORMANCE.md).
/// REQUIRES ranks > 0.
[[nodiscard]] double busFactor(CollectiveKind kind, int ranks);

/// Whether NCCL's calls count the part of one rank where Collective::bytes is the whole.
[[nodiscard]] bool isCountedPerRank(CollectiveKind kind);

/// Whether the host does it, by gloo or MPI, and not a kernel.
[[nodiscard]] bool isOfHost(const Trace& trace, const Collective& told);

} // namespace tacho
