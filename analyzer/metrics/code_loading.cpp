// SPDX-License-Identifier: Apache-2.0
#include "analyzer/metrics/code_loading.h"

#include "analyzer/metrics/intervals.h"

#include <algorithm>

namespace tacho {
namespace {

struct LoadTimes {
    std::vector<Interval> compiling, modules, functions;
};

ProcessIndex processOf(const Trace& trace, ThreadIndex thread) {
    return trace.threads[static_cast<std::size_t>(thread)].process;
}

std::vector<LoadTimes> loadTimes(const Trace& trace) {
    std::vector<LoadTimes> times(trace.processes.size());
    const auto of = [&](ProcessIndex process) -> LoadTimes& {
        return times[static_cast<std::size_t>(process)];
    };
    const Overheads& overheads = trace.overheads;
    for (std::size_t row = 0; row < overheads.size(); ++row) {
        if (overheads.thread[row] == kNoThread)
            continue;
        LoadTimes& own = of(processOf(trace, overheads.thread[row]));
        const Interval interval{overheads.start[row], overheads.end[row]};
        if (overheads.kind[row] == OverheadKind::DriverCompiler)
            own.compiling.push_back(interval);
        else if (overheads.kind[row] == OverheadKind::ModuleLoading)
            own.modules.push_back(interval);
        else if (overheads.kind[row] == OverheadKind::LazyFunctionLoading)
            own.functions.push_back(interval);
    }
    for (const JitOperation& jit : trace.jitOperations)
        (jit.kind == JitKind::Compile ? of(jit.process).compiling : of(jit.process).modules)
            .push_back(jit.interval);
    const ApiCalls& calls = trace.apiCalls;
    for (std::size_t row = 0; row < calls.size(); ++row)
        if (calls.kind[row] == ApiKind::Module)
            of(processOf(trace, calls.thread[row])).modules.push_back(calls.interval(row));
    return times;
}

CodeLoading summarise(LoadTimes& times) {
    const IntervalSet compiling = IntervalSet::unite(std::move(times.compiling));
    const IntervalSet modules = IntervalSet::unite(std::move(times.modules)).subtraction(compiling);
    const IntervalSet functions =
        IntervalSet::unite(std::move(times.functions)).subtraction(compiling).subtraction(modules);
    CodeLoading loading;
    loading.compiling = compiling.totalLength();
    loading.loadingModules = modules.totalLength();
    loading.loadingFunctions = functions.totalLength();
    loading.total = loading.compiling + loading.loadingModules + loading.loadingFunctions;
    loading.span = {TimeNs::max(), TimeNs::min()};
    for (const IntervalSet* part : {&compiling, &modules, &functions}) {
        if (part->empty())
            continue;
        loading.span.start = std::min(loading.span.start, part->intervals().front().start);
        loading.span.end = std::max(loading.span.end, part->intervals().back().end);
    }
    return loading;
}

} // namespace

std::vector<CodeLoading> measureCodeLoading(const Trace& trace) {
    std::vector<LoadTimes> times = loadTimes(trace);
    std::vector<CodeLoading> rows;
    for (std::size_t index = 0; index < times.size(); ++index) {
        CodeLoading loading = summarise(times[index]);
        if (loading.total.count() == 0)
            continue;
        loading.process = static_cast<ProcessIndex>(index);
        for (const JitOperation& jit : trace.jitOperations) {
            const bool isOwn = jit.process == loading.process;
            loading.compiledUnits += isOwn && jit.kind == JitKind::Compile;
            loading.cachedUnits += isOwn && jit.kind == JitKind::CacheLoad;
        }
        loading.loadedModules =
            std::count_if(trace.modules.begin(), trace.modules.end(),
                          [&](const LoadedModule& module) { return module.process == loading.process; });
        rows.push_back(loading);
    }
    return rows;
}

} // namespace tacho
