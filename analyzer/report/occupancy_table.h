// SPDX-License-Identifier: Apache-2.0
// Theoretical occupancy of kernels as a table of `tacho stats`.
#pragma once

#include "analyzer/model/trace.h"
#include "analyzer/report/table.h"

namespace tacho {

/// A row per kernel name and launch shape on a device, by GPU time. Cells are empty where it cannot be told.
[[nodiscard]] Table occupancyTable(const Trace& trace);

} // namespace tacho
