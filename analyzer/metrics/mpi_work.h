// SPDX-License-Identifier: Apache-2.0
// Collectives of MPI that NVTX ranges tell of.
#pragma once

#include "analyzer/model/trace.h"

#include <vector>

namespace tacho {

/// Ranges named after MPI's calls ("MPI_Allreduce"), as tracers of MPI make them; their sizes are not known.
/// In the order of Trace::ranges.
[[nodiscard]] std::vector<Collective> mpiWork(const Trace& trace);

} // namespace tacho
