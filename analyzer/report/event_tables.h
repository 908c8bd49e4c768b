// SPDX-License-Identifier: Apache-2.0
// GPU work and CUDA calls one by one, and joined, as tables of `tacho stats` with the columns of Nsight's
// reports. Columns of theirs that no trace here tells are there and empty.
#pragma once

#include "analyzer/model/trace.h"
#include "analyzer/report/table.h"

namespace tacho {

/// cuda_kern_exec_sum: T from the start of the launching call to the end of the kernel, A the call, Q from
/// its end to the kernel's start if that comes later (QCount times), K the kernel. Joined within the process.
[[nodiscard]] Table launchTable(const Trace& trace);
[[nodiscard]] Table gpuTraceTable(const Trace& trace); ///< cuda_gpu_trace, in the order of time
[[nodiscard]] Table apiTraceTable(const Trace& trace); ///< cuda_api_trace, in the order of time
/// Kernels by tensor-core class and arithmetic, see tensor_grammar.h.
[[nodiscard]] Table tensorTable(const Trace& trace);

} // namespace tacho
