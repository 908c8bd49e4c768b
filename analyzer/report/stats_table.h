// SPDX-License-Identifier: Apache-2.0
// The tables of `tacho stats`: kernels, memory operations and host calls, with the columns that Nsight
// Systems' reports of the same names have.
#pragma once

#include "analyzer/model/trace.h"
#include "analyzer/report/table.h"

#include <span>
#include <string_view>

namespace tacho {

/// One kind of table, known by a short name and by the name of Nsight's report with the same columns.
struct StatsReport {
    std::string_view name;       ///< "kernels"
    std::string_view nsightName; ///< "cuda_gpu_kern_sum"; empty: Nsight has none
    Table (*make)(const Trace& trace);
};

/// All of them. `memory` has times and sizes in one table; the other two memory reports are its halves.
[[nodiscard]] std::span<const StatsReport> statsReports();

/// Null: there is no report of that name.
[[nodiscard]] const StatsReport* findStatsReport(std::string_view name);

} // namespace tacho
