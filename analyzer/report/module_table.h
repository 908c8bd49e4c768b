// SPDX-License-Identifier: Apache-2.0
// The model's modules and the GPU work launched in them, as a table of `tacho stats`.
#pragma once

#include "analyzer/model/trace.h"
#include "analyzer/report/table.h"

namespace tacho {

/// A row per module. Modules are ranges that PyTorch's profiler calls "nn.Module: Linear_3" (with_stack), and
/// NVTX ranges and annotations named by a path in the model, "encoder.layers.3.attention", as hooks push
/// them. A module owns what is launched in it and in none that it called, so that the own times of all rows,
/// with that of "(in no module)", are all the GPU's work; its GPU time has that of the modules in it, too.
/// What autograd launches for backward, on a thread of its own, is in no module. Own time first.
[[nodiscard]] Table moduleTable(const Trace& trace);

} // namespace tacho
