// SPDX-License-Identifier: Apache-2.0
// What every target does with a file: it is read and reported on, or refused with an Error, and nothing else.
#pragma once

#include "analyzer/import/open_trace.h"
#include "analyzer/model/error.h"
#include "analyzer/model/plausible.h"
#include "analyzer/report/analysis.h"
#include "analyzer/report/json_report.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <unistd.h>

namespace tacho::fuzz {

/// In memory where the system has such a folder. One for each process.
inline std::filesystem::path workFolder() {
    const std::filesystem::path memory = "/dev/shm";
    const auto base = std::filesystem::exists(memory) ? memory : std::filesystem::temp_directory_path();
    const auto folder = base / ("tacho_fuzz_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder);
    return folder;
}

/// Sums over a trace of a year or less do not overflow.
inline bool isShort(const Trace& trace) {
    std::int64_t first = kMostTimeNs, last = -kMostTimeNs;
    const auto add = [&](TimeNs start, TimeNs end) {
        first = std::min(first, toNs(start));
        last = std::max(last, end == TimeNs::max() ? toNs(start) : toNs(end));
    };
    const auto addTable = [&](const auto& table) {
        for (std::size_t row = 0; row < table.size(); ++row)
            add(table.start[row], table.end[row]);
    };
    addTable(trace.gpuOps);
    addTable(trace.apiCalls);
    addTable(trace.ranges);
    addTable(trace.syncs);
    addTable(trace.overheads);
    for (const StepMark& step : trace.steps)
        add(step.interval.start, step.interval.end);
    for (const RecordedWindow& window : trace.windows)
        add(window.interval.start, window.interval.end);
    for (const Collective& collective : trace.collectives)
        add(collective.interval.start, collective.interval.end);
    for (const JitOperation& jit : trace.jitOperations)
        add(jit.interval.start, jit.interval.end);
    for (const LoadedModule& module : trace.modules)
        add(module.time, module.time);
    for (const CalibrationBlock& block : trace.calibration)
        add(block.interval.start, block.interval.end);
    return last - first <= kMostLengthNs;
}

inline void readTrace(const std::string& path) {
    try {
        const Trace trace = openTrace({path});
        if (isShort(trace))
            (void)jsonReport(trace, analyse(trace));
    } catch (const Error&) { // the answer to what is no trace
    }
}

} // namespace tacho::fuzz
