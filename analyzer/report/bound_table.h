// SPDX-License-Identifier: Apache-2.0
// What limits kernels as a table of `tacho stats`.
#pragma once

#include "analyzer/model/trace.h"
#include "analyzer/report/table.h"

namespace tacho {

/// A row per row of sampledKernels().
[[nodiscard]] Table boundTable(const Trace& trace);

} // namespace tacho
