// SPDX-License-Identifier: Apache-2.0
// The columns that all summaries of Nsight Systems share.
#pragma once

#include "analyzer/metrics/op_summary.h"
#include "analyzer/report/table.h"

#include <string>
#include <vector>

namespace tacho {

/// 0 to 100; 0 of nothing.
[[nodiscard]] double percentOf(DurationNs part, DurationNs whole);
/// "Time", "Total Time", the count under its title, "Avg", "Med", "Min", "Max", "StdDev".
[[nodiscard]] std::vector<Column> timeColumns(const std::string& countTitle);
/// Cells of these columns; the share is of `whole`.
[[nodiscard]] std::vector<Cell> timeCells(const TimeSummary& summary, DurationNs whole);
/// Sum of the totals: the shares of a table are of its rows, not of the wall clock.
[[nodiscard]] DurationNs sumOfTotals(const std::vector<TimeSummary>& summaries);

} // namespace tacho
