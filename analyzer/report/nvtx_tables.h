// SPDX-License-Identifier: Apache-2.0
// Ranges, and the GPU work launched in them, as tables of `tacho stats` with the columns of Nsight's reports.
// Ranges are those of NVTX, the user's annotations, and the hook's phases; framework operators have a table
// of their own. A range of another than the default domain is called "domain:name".
#pragma once

#include "analyzer/model/trace.h"
#include "analyzer/report/table.h"

namespace tacho {

[[nodiscard]] Table nvtxTable(const Trace& trace);         ///< nvtx_sum
[[nodiscard]] Table nvtxPushPopTable(const Trace& trace);  ///< nvtx_pushpop_sum
[[nodiscard]] Table nvtxStartEndTable(const Trace& trace); ///< nvtx_startend_sum
/// nvtx_kern_sum: a kernel counts for all ranges around its launch. Rows are of one thread each.
[[nodiscard]] Table nvtxKernelTable(const Trace& trace);
/// nvtx_gpu_proj_sum: a range's projection is from the first start to the last end of the GPU work launched
/// in it; ranges without are left out.
[[nodiscard]] Table nvtxProjectionTable(const Trace& trace);
/// A row per framework operator: the GPU work that it launched itself, not in an operator that it called.
[[nodiscard]] Table operatorTable(const Trace& trace);

} // namespace tacho
