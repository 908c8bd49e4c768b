// SPDX-License-Identifier: Apache-2.0
#include "analyzer/report/stats_table.h"

#include "analyzer/metrics/op_summary.h"
#include "analyzer/report/bound_table.h"
#include "analyzer/report/collective_table.h"
#include "analyzer/report/copy_table.h"
#include "analyzer/report/event_tables.h"
#include "analyzer/report/module_table.h"
#include "analyzer/report/nvtx_tables.h"
#include "analyzer/report/occupancy_table.h"
#include "analyzer/report/step_table.h"
#include "analyzer/report/summary_columns.h"

#include <algorithm>
#include <array>
#include <map>

namespace tacho {
namespace {

std::vector<Column> sizeColumns() {
    return {{"Total", Unit::Megabytes},       {"Count"},
            {"Avg", Unit::Megabytes},         {"Med", Unit::Megabytes, true},
            {"Min", Unit::Megabytes, true},   {"Max", Unit::Megabytes, true},
            {"StdDev", Unit::Megabytes, true}};
}

std::vector<Cell> sizeCells(const SizeSummary& summary) {
    const auto megabytes = [](auto bytes) { return static_cast<double>(bytes) / kBytesPerMegabyte; };
    return {megabytes(summary.total),  summary.count,          megabytes(summary.mean),
            megabytes(summary.median), megabytes(summary.min), megabytes(summary.max),
            megabytes(summary.stddev)};
}

/// The shares are of the rows listed, not of the wall clock.
void addTimeRows(Table& table, const std::vector<TimeSummary>& summaries) {
    const auto whole = sumOfTotals(summaries);
    for (const auto& summary : summaries) {
        auto cells = timeCells(summary, whole);
        cells.emplace_back(summary.name);
        table.rows.push_back(std::move(cells));
    }
}

Table timeTable(const std::string& name, const std::string& title, std::vector<Column> columns,
                const std::vector<TimeSummary>& summaries) {
    Table table{name, title, std::move(columns), {}};
    addTimeRows(table, summaries);
    return table;
}

Table kernelTable(const Trace& trace) {
    auto columns = timeColumns("Instances");
    columns.push_back({"Name"});
    return timeTable("kernels", "Kernels by GPU time", std::move(columns), summarizeKernels(trace));
}

Table apiTable(const Trace& trace) {
    auto columns = timeColumns("Num Calls");
    columns.push_back({"Name"});
    return timeTable("api", "CUDA calls by host time", std::move(columns), summarizeApiCalls(trace));
}

Table memoryTimeTable(const Trace& trace) {
    auto columns = timeColumns("Count");
    columns.push_back({"Operation"});
    return timeTable("memory_time", "Copies and sets by GPU time", std::move(columns),
                     summarizeMemoryTime(trace));
}

Table memorySizeTable(const Trace& trace) {
    Table table{"memory_size", "Copies and sets by size", sizeColumns(), {}};
    table.columns.push_back({"Operation"});
    for (const auto& summary : summarizeMemorySize(trace)) {
        auto cells = sizeCells(summary);
        cells.emplace_back(summary.name);
        table.rows.push_back(std::move(cells));
    }
    return table;
}

Table memoryTable(const Trace& trace) {
    Table table{"memory", "Copies and sets by GPU time and size", timeColumns("Count"), {}};
    auto sizes = sizeColumns();
    sizes.erase(sizes.begin() + 1); // the count is there already
    for (auto& column : sizes) {
        column.droppable = column.title != "Total";
        column.title = "Size " + column.title;
        table.columns.push_back(std::move(column));
    }
    table.columns.push_back({"Operation"});
    std::map<std::string, SizeSummary> sizeOf;
    for (auto& summary : summarizeMemorySize(trace))
        sizeOf.emplace(summary.name, summary);
    const auto times = summarizeMemoryTime(trace);
    const auto whole = sumOfTotals(times);
    for (const auto& time : times) {
        auto cells = timeCells(time, whole);
        auto size = sizeCells(sizeOf.at(time.name));
        size.erase(size.begin() + 1);
        cells.insert(cells.end(), size.begin(), size.end());
        cells.emplace_back(time.name);
        table.rows.push_back(std::move(cells));
    }
    return table;
}

constexpr std::array kReports{
    StatsReport{"kernels", "cuda_gpu_kern_sum", kernelTable},
    StatsReport{"memory", "", memoryTable},
    StatsReport{"api", "cuda_api_sum", apiTable},
    StatsReport{"memory_time", "cuda_gpu_mem_time_sum", memoryTimeTable},
    StatsReport{"memory_size", "cuda_gpu_mem_size_sum", memorySizeTable},
    StatsReport{"launches", "cuda_kern_exec_sum", launchTable},
    StatsReport{"gpu_trace", "cuda_gpu_trace", gpuTraceTable},
    StatsReport{"api_trace", "cuda_api_trace", apiTraceTable},
    StatsReport{"nvtx", "nvtx_sum", nvtxTable},
    StatsReport{"nvtx_pushpop", "nvtx_pushpop_sum", nvtxPushPopTable},
    StatsReport{"nvtx_startend", "nvtx_startend_sum", nvtxStartEndTable},
    StatsReport{"nvtx_kern", "nvtx_kern_sum", nvtxKernelTable},
    StatsReport{"nvtx_gpu_proj", "nvtx_gpu_proj_sum", nvtxProjectionTable},
    StatsReport{"operators", "", operatorTable},
    StatsReport{"modules", "", moduleTable},
    StatsReport{"tensor", "", tensorTable},
    StatsReport{"copies", "", copyTable},
    StatsReport{"uploads", "", uploadTable},
    StatsReport{"collectives", "", collectiveTable},
    StatsReport{"occupancy", "", occupancyTable},
    StatsReport{"bounds", "", boundTable},
    StatsReport{"steps", "", stepTable},
    StatsReport{"breakdown", "", breakdownTable},
    StatsReport{"idle", "", idleTable},
};

} // namespace

std::span<const StatsReport> statsReports() {
    return kReports;
}

const StatsReport* findStatsReport(std::string_view name) {
    const auto* found = std::find_if(kReports.begin(), kReports.end(), [&](const StatsReport& report) {
        return name == report.name || (!report.nsightName.empty() && name == report.nsightName);
    });
    return found == kReports.end() ? nullptr : found;
}

} // namespace tacho
