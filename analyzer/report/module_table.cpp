// SPDX-License-Identifier: Apache-2.0
#include "analyzer/report/module_table.h"

#include "analyzer/metrics/range_tree.h"

#include <algorithm>
#include <cctype>
#include <map>

namespace tacho {
namespace {

/// Parts of letters, digits and underscores, the first no number, with dots between them.
bool isModulePath(std::string_view name) {
    char last = '.';
    bool hasDot = false;
    for (const char c : name) {
        const bool isWord = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
        if (!isWord && (c != '.' || last == '.'))
            return false;
        hasDot = hasDot || c == '.';
        last = c;
    }
    return hasDot && last != '.' && std::isdigit(static_cast<unsigned char>(name.front())) == 0;
}

/// By row of Trace::ranges: the innermost module around the range, itself included, or kNoRow.
std::vector<std::uint32_t> modulesOf(const Trace& trace, const RangeTree& tree) {
    std::vector<bool> isModule(trace.strings.size());
    for (std::size_t id = 0; id < isModule.size(); ++id) {
        const std::string_view name = trace.strings.text(static_cast<StringId>(id));
        isModule[id] = name.starts_with("nn.Module: ") || isModulePath(name);
    }
    std::vector<std::uint32_t> modules(trace.ranges.size(), kNoRow);
    for (std::uint32_t row = 0; row < modules.size(); ++row) { // parents come before their children
        const RangeKind kind = trace.ranges.kind[row];
        if (kind != RangeKind::Nvtx && kind != RangeKind::Annotation)
            continue;
        if (isModule[static_cast<std::size_t>(trace.ranges.name[row])])
            modules[row] = row;
        else if (tree.parent[row] != kNoRow)
            modules[row] = modules[tree.parent[row]];
    }
    return modules;
}

/// Sums of the lengths of GPU work.
struct ModuleRow {
    std::int64_t ownNs = 0, ns = 0, ownOps = 0, hostNs = 0, instances = 0;
};

/// By row of Trace::ranges; the last one is of what no module launched.
std::vector<ModuleRow> ownWork(const Trace& trace, const RangeTree& tree,
                               const std::vector<std::uint32_t>& modules) {
    std::vector<ModuleRow> work(trace.ranges.size() + 1);
    for (std::size_t op = 0; op < trace.gpuOps.size(); ++op) {
        const std::uint32_t range = tree.launcherOf(trace, op);
        const std::uint32_t module = range == kNoRow ? kNoRow : modules[range];
        ModuleRow& own = module == kNoRow ? work.back() : work[module];
        own.ownNs += trace.gpuOps.interval(op).length().count();
        ++own.ownOps;
    }
    return work;
}

/// Adds to each module what the modules in it launched.
void addInner(const RangeTree& tree, const std::vector<std::uint32_t>& modules,
              std::vector<ModuleRow>& work) {
    for (ModuleRow& row : work)
        row.ns = row.ownNs;
    for (std::size_t row = modules.size(); row-- > 0;) {
        const std::uint32_t parent = tree.parent[row];
        if (modules[row] == row && parent != kNoRow && modules[parent] != kNoRow)
            work[modules[parent]].ns += work[row].ns;
    }
}

} // namespace

Table moduleTable(const Trace& trace) {
    const RangeTree tree = buildRangeTree(trace, {RangeKind::Nvtx, RangeKind::Annotation});
    const std::vector<std::uint32_t> modules = modulesOf(trace, tree);
    std::vector<ModuleRow> work = ownWork(trace, tree, modules);
    addInner(tree, modules, work);
    std::map<StringId, ModuleRow> rows;
    for (std::size_t row = 0; row < modules.size(); ++row) {
        if (modules[row] != row)
            continue;
        ModuleRow& sum = rows[trace.ranges.name[row]];
        sum.ownNs += work[row].ownNs;
        sum.ns += work[row].ns;
        sum.ownOps += work[row].ownOps;
        sum.hostNs += trace.ranges.interval(row).length().count();
        ++sum.instances;
    }
    Table table{"modules",
                "Modules by the GPU time of what they launch themselves",
                {{"Own GPU Time", Unit::Nanoseconds},
                 {"GPU Time", Unit::Nanoseconds},
                 {"Own GPU Ops"},
                 {"Host Time", Unit::Nanoseconds},
                 {"Instances"},
                 {"Module"}},
                {}};
    const auto add = [&](const ModuleRow& row, std::string name) {
        table.rows.push_back({row.ownNs, row.ns, row.ownOps, row.hostNs, row.instances, std::move(name)});
    };
    for (const auto& [name, row] : rows)
        add(row, std::string(trace.text(name)));
    if (!rows.empty() && work.back().ownOps > 0)
        add(work.back(), "(in no module)");
    std::stable_sort(table.rows.begin(), table.rows.end(), [](const auto& a, const auto& b) {
        return std::get<std::int64_t>(a[0]) > std::get<std::int64_t>(b[0]);
    });
    return table;
}

} // namespace tacho
