// SPDX-License-Identifier: Apache-2.0
#include "analyzer/import/tacho_tables.h"

#include "analyzer/import/collective_rows.h"
#include "analyzer/import/decimal_time.h"
#include "analyzer/import/step_source_names.h"
#include "analyzer/model/error.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace tacho {

namespace {

constexpr std::int64_t kFormatVersion = 1;

Severity severityOf(std::string_view name) {
    if (name == "info")
        return Severity::Info;
    if (name == "warning")
        return Severity::Warning;
    return name == "data_loss" ? Severity::DataLoss : Severity::Error;
}

void readProcesses(SqliteFile& file) {
    SqliteRows rows(file.db(), "TACHO_PROCESSES", {"global_pid", "command_line", "rank", "world_size"});
    while (rows.next()) {
        Process& process = file.entities().info(file.processOf(rows.integer(0)));
        process.commandLine = rows.text(1);
        if (!rows.isNull(2))
            process.rank = static_cast<int>(rows.integer(2));
        if (!rows.isNull(3))
            process.worldSize = static_cast<int>(rows.integer(3));
    }
}

void readFacts(SqliteFile& file) {
    SqliteRows rows(file.db(), "TACHO_FRAMEWORK", {"global_pid", "name", "value"});
    while (rows.next())
        file.entities().info(file.processOf(rows.integer(0))).facts[std::string(rows.text(1))] = rows.text(2);
}

using Windows = std::map<ProcessIndex, std::vector<Interval>>;

/// Of each process sorted by start.
Windows readWindows(SqliteFile& file) {
    Windows windows;
    SqliteRows rows(file.db(), "TACHO_WINDOWS", {"global_pid", "start_ns", "end_ns"});
    while (rows.next()) {
        const auto start = file.time(rows.integer(1));
        const auto end = rows.isNull(2) ? TimeNs::max() : file.time(rows.integer(2));
        if (!start || !end || *end < *start)
            continue;
        const ProcessIndex process = file.processOf(rows.integer(0));
        windows[process].push_back({*start, *end});
        file.trace().windows.push_back({process, {*start, *end}});
    }
    for (auto& [process, ofProcess] : windows)
        std::sort(ofProcess.begin(), ofProcess.end());
    return windows;
}

void readCalibration(SqliteFile& file) {
    SqliteRows rows(file.db(), "TACHO_CALIBRATION",
                    {"global_pid", "is_profiled", "first_step", "last_step", "start_ns", "end_ns"});
    while (rows.next()) {
        const std::int64_t firstStep = rows.integer(2), lastStep = rows.integer(3);
        const auto interval = file.interval(rows.integer(4), rows.integer(5));
        if (interval && firstStep <= lastStep)
            file.trace().calibration.push_back(
                {file.processOf(rows.integer(0)), rows.integer(1) != 0, firstStep, lastStep, *interval});
    }
}

/// A step is profiled if most of it lies in a window. Where a window opens or closes within a step, the step
/// counts from there: switching recording on or off is no part of the training. `windows` are sorted.
StepMark markedStep(Interval step, const std::vector<Interval>& windows) {
    StepMark mark;
    mark.interval = step;
    mark.profiled = false;
    auto window = std::partition_point(windows.begin(), windows.end(),
                                       [&](const Interval& each) { return each.end <= step.start; });
    for (; window != windows.end() && window->start < step.end; ++window) {
        const Interval inside{std::max(step.start, window->start), std::min(step.end, window->end)};
        if (inside.start >= inside.end)
            continue;
        mark.profiled = inside.length() * 2 >= step.length();
        mark.interval.start = mark.profiled ? inside.start : std::max(step.start, inside.end);
    }
    return mark;
}

/// The first step of a process has no known start, and so no length: it is not a step to measure by.
void readSteps(SqliteFile& file, const Windows& windows, bool isImported) {
    const std::vector<Interval> none;
    SqliteRows rows(file.db(), "TACHO_STEPS", {"global_tid", "step_index", "start_ns", "end_ns"});
    while (rows.next()) {
        if (rows.isNull(2))
            continue;
        const auto interval = file.interval(rows.integer(2), rows.integer(3));
        if (!interval)
            continue;
        const std::int64_t globalTid = rows.integer(0);
        const ProcessIndex process = file.processOf(globalTid);
        const auto ofProcess = windows.find(process);
        StepMark mark = markedStep(*interval, ofProcess == windows.end() ? none : ofProcess->second);
        mark.process = process;
        mark.thread = tidOf(globalTid) == 0 ? kNoThread : file.threadOf(globalTid);
        mark.index = rows.integer(1);
        if (isImported && ofProcess == windows.end()) // the other profiler recorded all that there is
            mark.profiled = true;
        file.trace().steps.push_back(mark);
        if (file.trace().stepSource == StepSource::None)
            file.trace().stepSource = StepSource::Optimizer;
    }
}

void readHealth(SqliteFile& file) {
    SqliteRows rows(file.db(), "TACHO_HEALTH", {"severity", "code", "count", "message"});
    while (rows.next())
        file.note(severityOf(rows.text(0)), std::string(rows.text(1)), rows.integer(2),
                  std::string(rows.text(3)));
}

using Meta = std::map<std::string, std::string, std::less<>>;

Meta readMeta(SqliteFile& file) {
    Meta meta;
    SqliteRows rows(file.db(), "TACHO_META", {"name", "value"});
    while (rows.next())
        meta[std::string(rows.text(0))] = rows.text(1);
    return meta;
}

bool isImport(const Meta& meta) {
    return meta.contains("imported_from");
}

} // namespace

bool isFileOfImport(SqliteFile& file) {
    return isImport(readMeta(file));
}

std::string readTachoMeta(SqliteFile& file) {
    Meta meta = readMeta(file);
    const std::int64_t version = leadingInteger(meta["format_version"]).value_or(kFormatVersion);
    if (version > kFormatVersion)
        throw Error(
            fmt::format("{}: has version {} of tacho's format, and this tacho knows {}; use a newer tacho",
                        file.path(), version, kFormatVersion));
    if (isImport(meta))
        file.trace().stepSource = stepSourceOf(meta["step_source"]);
    if (meta["end_utc_ns"].empty() && !isImport(meta))
        file.note(Severity::DataLoss, "incomplete_file", 1,
                  fmt::format("{}: the recording did not end in order; this is what was written until then",
                              file.path()));
    return fmt::format("tacho format {}", version);
}

void readTachoTables(SqliteFile& file) {
    readProcesses(file);
    readFacts(file);
    readSteps(file, readWindows(file), isFileOfImport(file));
    readCalibration(file);
    readCollectives(file);
    readHealth(file);
    readLoadedCode(file);
    readFrameworkMemory(file);
}

} // namespace tacho
