// SPDX-License-Identifier: Apache-2.0
#include "analyzer/report/stats_table.h"

#include "analyzer/metrics/op_summary.h"
#include "analyzer/report/step_table.h"

#include <algorithm>
#include <array>
#include <map>

namespace tacho {
namespace {

constexpr double kBytesPerMegabyte = 1e6;

double share(DurationNs part, DurationNs whole) {
    return whole.count() > 0 ? 100.0 * static_cast<double>(part.count()) / static_cast<double>(whole.count())
                             : 0;
}

DurationNs sumOfTotals(const std::vector<TimeSummary>& summaries) {
    DurationNs sum{0};
    for (const auto& summary : summaries)
        sum += summary.total;
    return sum;
}

std::vector<Column> timeColumns(const std::string& countTitle) {
    return {{"Time", Unit::Percent},
            {"Total Time", Unit::Nanoseconds},
            {countTitle},
            {"Avg", Unit::Nanoseconds},
            {"Med", Unit::Nanoseconds, true},
            {"Min", Unit::Nanoseconds, true},
            {"Max", Unit::Nanoseconds, true},
            {"StdDev", Unit::Nanoseconds, true}};
}

std::vector<Column> sizeColumns() {
    return {{"Total", Unit::Megabytes},       {"Count"},
            {"Avg", Unit::Megabytes},         {"Med", Unit::Megabytes, true},
            {"Min", Unit::Megabytes, true},   {"Max", Unit::Megabytes, true},
            {"StdDev", Unit::Megabytes, true}};
}

std::vector<Cell> timeCells(const TimeSummary& summary, DurationNs whole) {
    return {share(summary.total, whole),
            std::int64_t{summary.total.count()},
            summary.count,
            summary.mean,
            summary.median,
            std::int64_t{summary.min.count()},
            std::int64_t{summary.max.count()},
            summary.stddev};
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
