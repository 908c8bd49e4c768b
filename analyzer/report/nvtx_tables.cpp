// SPDX-License-Identifier: Apache-2.0
#include "analyzer/report/nvtx_tables.h"

#include "analyzer/metrics/range_tree.h"
#include "analyzer/report/summary_columns.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace tacho {
namespace {

constexpr auto kNamed = {RangeKind::Nvtx, RangeKind::NvtxStartEnd, RangeKind::Annotation, RangeKind::Phase};

bool isNamed(RangeKind kind) {
    return std::find(kNamed.begin(), kNamed.end(), kind) != kNamed.end();
}

std::string nameOf(const Trace& trace, std::size_t range) {
    const std::string name(trace.text(trace.ranges.name[range]));
    const std::string_view domain = trace.text(trace.ranges.domain[range]);
    return domain.empty() ? name : std::string(domain) + ':' + name;
}

std::string styleOf(RangeKind kind) {
    return kind == RangeKind::NvtxStartEnd ? "StartEnd" : "PushPop";
}

/// What a row of a table is of.
struct RangeKey {
    StringId name{}, domain{};
    bool isStartEnd = false;
    auto operator<=>(const RangeKey&) const = default;
};
RangeKey keyOf(const Ranges& ranges, std::size_t row) {
    return {ranges.name[row], ranges.domain[row], ranges.kind[row] == RangeKind::NvtxStartEnd};
}

/// Lengths of what a row of a table sums up.
struct RowLengths {
    std::size_t example = 0; ///< a range of the row
    std::vector<std::int64_t> lengths;
};

Table rangeTable(const Trace& trace, const std::string& name, const std::string& title,
                 bool (*isWanted)(RangeKind)) {
    std::map<RangeKey, RowLengths> rows;
    for (std::size_t row = 0; row < trace.ranges.size(); ++row)
        if (isWanted(trace.ranges.kind[row])) {
            RowLengths& own = rows[keyOf(trace.ranges, row)];
            own.example = row;
            own.lengths.push_back(trace.ranges.interval(row).length().count());
        }
    std::vector<std::pair<TimeSummary, std::string>> summaries; // with the style
    DurationNs whole{0};
    for (auto& [key, row] : rows) {
        summaries.emplace_back(summarizeTimes(nameOf(trace, row.example), std::move(row.lengths)),
                               styleOf(trace.ranges.kind[row.example]));
        whole += summaries.back().first.total;
    }
    std::stable_sort(summaries.begin(), summaries.end(), [](const auto& a, const auto& b) {
        return a.first.total != b.first.total ? a.first.total > b.first.total : a.first.name < b.first.name;
    });
    Table table{name, title, timeColumns("Instances"), {}};
    table.columns.push_back({"Style", Unit::None, true});
    table.columns.push_back({"Range"});
    for (const auto& [summary, style] : summaries) {
        auto cells = timeCells(summary, whole);
        cells.emplace_back(style);
        cells.emplace_back(summary.name);
        table.rows.push_back(std::move(cells));
    }
    return table;
}

void appendSpread(std::vector<Cell>& cells, const TimeSummary& summary) {
    cells.emplace_back(summary.mean);
    cells.emplace_back(summary.median);
    cells.emplace_back(std::int64_t{summary.min.count()});
    cells.emplace_back(std::int64_t{summary.max.count()});
    cells.emplace_back(summary.stddev);
}

/// Sorts rows by an integer column, largest first.
void sortBy(Table& table, std::size_t column) {
    std::stable_sort(table.rows.begin(), table.rows.end(), [&](const auto& a, const auto& b) {
        return std::get<std::int64_t>(a[column]) > std::get<std::int64_t>(b[column]);
    });
}

/// GPU work launched in one range, or in the ranges in it.
struct Projection {
    Interval interval{TimeNs::max(), TimeNs::min()};
    std::int64_t ops = 0;
};

std::vector<Projection> projectRanges(const Trace& trace, const RangeTree& tree) {
    std::vector<Projection> projections(trace.ranges.size());
    for (std::size_t op = 0; op < trace.gpuOps.size(); ++op)
        for (std::uint32_t range = tree.launcherOf(trace, op); range != kNoRow; range = tree.parent[range]) {
            Projection& own = projections[range];
            own.interval = {std::min(own.interval.start, trace.gpuOps.start[op]),
                            std::max(own.interval.end, trace.gpuOps.end[op])};
            ++own.ops;
        }
    return projections;
}

} // namespace

Table nvtxTable(const Trace& trace) {
    return rangeTable(trace, "nvtx", "Ranges by host time", isNamed);
}
Table nvtxPushPopTable(const Trace& trace) {
    return rangeTable(trace, "nvtx_pushpop", "Push/pop ranges by host time",
                      [](RangeKind kind) { return isNamed(kind) && kind != RangeKind::NvtxStartEnd; });
}
Table nvtxStartEndTable(const Trace& trace) {
    return rangeTable(trace, "nvtx_startend", "Start/end ranges by host time",
                      [](RangeKind kind) { return kind == RangeKind::NvtxStartEnd; });
}

Table nvtxKernelTable(const Trace& trace) {
    using Key = std::tuple<RangeKey, ThreadIndex, StringId>;
    const RangeTree tree = buildRangeTree(trace, kNamed);
    std::map<std::pair<RangeKey, ThreadIndex>, std::int64_t> instances;
    for (std::size_t row = 0; row < trace.ranges.size(); ++row)
        if (isNamed(trace.ranges.kind[row]))
            ++instances[{keyOf(trace.ranges, row), trace.ranges.thread[row]}];
    std::map<Key, RowLengths> rows;
    for (std::size_t op = 0; op < trace.gpuOps.size(); ++op) {
        if (trace.gpuOps.kind[op] != GpuOpKind::Kernel)
            continue;
        for (std::uint32_t range = tree.launcherOf(trace, op); range != kNoRow; range = tree.parent[range]) {
            RowLengths& own =
                rows[{keyOf(trace.ranges, range), trace.ranges.thread[range], trace.gpuOps.name[op]}];
            own.example = range;
            own.lengths.push_back(trace.gpuOps.interval(op).length().count());
        }
    }
    Table table{"nvtx_kern",
                "Kernels by the ranges that launched them",
                {{"NVTX Range"},
                 {"Style", Unit::None, true},
                 {"PID", Unit::None, true},
                 {"TID", Unit::None, true},
                 {"NVTX Inst"},
                 {"Kern Inst"},
                 {"Total Time", Unit::Nanoseconds},
                 {"Avg", Unit::Nanoseconds},
                 {"Med", Unit::Nanoseconds, true},
                 {"Min", Unit::Nanoseconds, true},
                 {"Max", Unit::Nanoseconds, true},
                 {"StdDev", Unit::Nanoseconds, true},
                 {"Kernel Name"}},
                {}};
    for (auto& [key, row] : rows) {
        const auto& [range, threadIndex, kernel] = key;
        const Thread& thread = trace.threads[static_cast<std::size_t>(threadIndex)];
        const TimeSummary summary = summarizeTimes(std::string(trace.text(kernel)), std::move(row.lengths));
        std::vector<Cell> cells = {nameOf(trace, row.example),
                                   styleOf(trace.ranges.kind[row.example]),
                                   trace.processes[static_cast<std::size_t>(thread.process)].pid,
                                   thread.tid,
                                   instances[{range, threadIndex}],
                                   summary.count,
                                   std::int64_t{summary.total.count()}};
        appendSpread(cells, summary);
        cells.emplace_back(summary.name);
        table.rows.push_back(std::move(cells));
    }
    sortBy(table, 6);
    return table;
}

Table nvtxProjectionTable(const Trace& trace) {
    struct Row {
        std::size_t example = 0;
        std::vector<std::int64_t> projected;
        std::int64_t original = 0, ops = 0, levels = 0, children = 0;
    };
    const RangeTree tree = buildRangeTree(trace, kNamed);
    const std::vector<Projection> projections = projectRanges(trace, tree);
    std::map<RangeKey, Row> rows;
    for (std::size_t range = 0; range < projections.size(); ++range) {
        if (projections[range].ops == 0)
            continue;
        Row& own = rows[keyOf(trace.ranges, range)];
        own.example = range;
        own.projected.push_back(projections[range].interval.length().count());
        own.original += trace.ranges.interval(range).length().count();
        own.ops += projections[range].ops;
        own.levels += tree.level[range];
        own.children += tree.children[range];
    }
    Table table{"nvtx_gpu_proj",
                "Ranges by the time of the GPU work launched in them",
                {{"Range"},
                 {"Style", Unit::None, true},
                 {"Total Proj Time", Unit::Nanoseconds},
                 {"Total Range Time", Unit::Nanoseconds},
                 {"Range Instances"},
                 {"Proj Avg", Unit::Nanoseconds},
                 {"Proj Med", Unit::Nanoseconds, true},
                 {"Proj Min", Unit::Nanoseconds, true},
                 {"Proj Max", Unit::Nanoseconds, true},
                 {"Proj StdDev", Unit::Nanoseconds, true},
                 {"Total GPU Ops"},
                 {"Avg GPU Ops", Unit::None, true},
                 {"Avg Range Lvl", Unit::None, true},
                 {"Avg Num Child", Unit::None, true}},
                {}};
    for (auto& [key, row] : rows) {
        const TimeSummary summary = summarizeTimes(nameOf(trace, row.example), std::move(row.projected));
        const auto mean = [&](std::int64_t sum) {
            return static_cast<double>(sum) / static_cast<double>(summary.count);
        };
        std::vector<Cell> cells = {summary.name, styleOf(trace.ranges.kind[row.example]),
                                   std::int64_t{summary.total.count()}, row.original, summary.count};
        appendSpread(cells, summary);
        cells.insert(cells.end(), {row.ops, mean(row.ops), mean(row.levels), mean(row.children)});
        table.rows.push_back(std::move(cells));
    }
    sortBy(table, 2);
    return table;
}

Table operatorTable(const Trace& trace) {
    struct Row {
        std::int64_t instances = 0, hostNs = 0;
        std::vector<std::int64_t> lengths; ///< of the GPU work
    };
    const RangeTree tree = buildRangeTree(trace, {RangeKind::Operator});
    std::map<StringId, Row> rows;
    for (std::size_t range = 0; range < trace.ranges.size(); ++range)
        if (trace.ranges.kind[range] == RangeKind::Operator) {
            Row& own = rows[trace.ranges.name[range]];
            ++own.instances;
            own.hostNs += trace.ranges.interval(range).length().count();
        }
    for (std::size_t op = 0; op < trace.gpuOps.size(); ++op)
        if (const std::uint32_t range = tree.launcherOf(trace, op); range != kNoRow)
            rows[trace.ranges.name[range]].lengths.push_back(trace.gpuOps.interval(op).length().count());
    Table table{"operators",
                "Framework operators by the GPU time of what they launch themselves",
                {{"GPU Time", Unit::Nanoseconds},
                 {"GPU Ops"},
                 {"Host Time", Unit::Nanoseconds},
                 {"Instances"},
                 {"Operator"}},
                {}};
    for (const auto& [name, row] : rows) {
        std::int64_t total = 0;
        for (const std::int64_t length : row.lengths)
            total += length;
        table.rows.push_back({total, static_cast<std::int64_t>(row.lengths.size()), row.hostNs, row.instances,
                              std::string(trace.text(name))});
    }
    sortBy(table, 0);
    return table;
}

} // namespace tacho
