// SPDX-License-Identifier: Apache-2.0
// Collectives of gloo in recordings that do not mark them.
#pragma once

#include "analyzer/model/trace.h"

#include <vector>

namespace tacho {

/// PyTorch runs gloo on threads of its own, named pt_gloo_runloop. For a tensor of a GPU such a thread waits
/// until the tensor has been copied to the host, exchanges it with the other ranks, and copies the result
/// back: the exchange lies between these two CUDA calls, and the copy tells the size. What has no copy back
/// (tensors of the host, the root of a broadcast) is not seen. What DistributedDataParallel exchanges in a
/// backward phase are all-reduces of its ranks, as far as the hook saw it; of others kind and ranks are not
/// known. Sorted by process, then start.
[[nodiscard]] std::vector<Collective> glooWork(const Trace& trace);

} // namespace tacho
