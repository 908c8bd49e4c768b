// SPDX-License-Identifier: Apache-2.0
#include "analyzer/report/step_table.h"

#include "analyzer/metrics/measurements.h"
#include "analyzer/report/summary_columns.h"

namespace tacho {
namespace {

/// The first cells of a row: whose device it is.
std::vector<Cell> deviceCells(const Trace& trace, const DeviceActivity& activity) {
    const Device& device = trace.devices[static_cast<std::size_t>(activity.whole.device)];
    const Cell rank = activity.whole.rank ? Cell{std::int64_t{*activity.whole.rank}} : Cell{std::string()};
    return {trace.processes[static_cast<std::size_t>(device.process)].pid, rank, std::int64_t{device.id}};
}

std::vector<Column> deviceColumns() {
    return {{"PID", Unit::None, true}, {"Rank", Unit::None, true}, {"Device"}};
}

/// Classes that have time in any step, in their order.
std::vector<std::size_t> classesOf(const Measurements& measurements) {
    std::vector<std::size_t> classes;
    for (std::size_t part = 0; part < kStepClasses; ++part) {
        bool hasTime = false;
        for (const DeviceActivity& activity : measurements.devices)
            for (const StepTime& step : activity.steps)
                hasTime = hasTime || step.parts[part].count() > 0;
        if (hasTime)
            classes.push_back(part);
    }
    return classes;
}

} // namespace

Table stepTable(const Trace& trace) {
    const Measurements measurements = measure(trace);
    const std::vector<std::size_t> classes = classesOf(measurements);
    Table table{"steps", "Steps, and what their time went to", deviceColumns(), {}};
    table.columns.push_back({"Step"});
    table.columns.push_back({"Start", Unit::Nanoseconds});
    table.columns.push_back({"Duration", Unit::Nanoseconds});
    for (const std::size_t part : classes)
        table.columns.push_back(
            {std::string(titleOf(static_cast<StepClass>(part))), Unit::Nanoseconds, true});
    for (const DeviceActivity& activity : measurements.devices)
        for (const StepTime& step : activity.steps) {
            std::vector<Cell> row = deviceCells(trace, activity);
            row.emplace_back(step.index);
            row.emplace_back(toNs(step.interval.start));
            row.emplace_back(std::int64_t{step.interval.length().count()});
            for (const std::size_t part : classes)
                row.emplace_back(std::int64_t{step.parts[part].count()});
            table.rows.push_back(std::move(row));
        }
    return table;
}

Table breakdownTable(const Trace& trace) {
    const Measurements measurements = measure(trace);
    Table table{"breakdown", "The mean analysed step", deviceColumns(), {}};
    table.columns.push_back({"Time", Unit::Percent});
    table.columns.push_back({"Mean", Unit::Nanoseconds});
    table.columns.push_back({"Class"});
    for (const DeviceActivity& activity : measurements.devices) {
        const StepParts& mean = activity.usual;
        for (std::size_t part = 0; part < kStepClasses; ++part) {
            if (activity.steps.empty() || mean[part].count() == 0)
                continue;
            std::vector<Cell> row = deviceCells(trace, activity);
            row.emplace_back(percentOf(mean[part], totalOf(mean)));
            row.emplace_back(std::int64_t{mean[part].count()});
            row.emplace_back(std::string(titleOf(static_cast<StepClass>(part))));
            table.rows.push_back(std::move(row));
        }
    }
    return table;
}

Table idleTable(const Trace& trace) {
    Table table{"idle", "Why the GPU was idle", deviceColumns(), {}};
    table.columns.push_back({"Time", Unit::Percent});
    table.columns.push_back({"Total Time", Unit::Nanoseconds});
    table.columns.push_back({"Gaps"});
    table.columns.push_back({"Longest", Unit::Nanoseconds});
    table.columns.push_back({"Cause"});
    const Measurements measurements = measure(trace);
    for (const DeviceActivity& activity : measurements.devices)
        for (std::size_t index = 0; index < kIdleCauses; ++index) {
            const IntervalSet& part = activity.wholeIdle.parts[index];
            if (part.empty())
                continue;
            std::vector<Cell> row = deviceCells(trace, activity);
            row.emplace_back(percentOf(part.totalLength(), activity.whole.span));
            row.emplace_back(std::int64_t{part.totalLength().count()});
            row.emplace_back(static_cast<std::int64_t>(part.intervals().size()));
            row.emplace_back(std::int64_t{part.longest()->length().count()});
            row.emplace_back(std::string(titleOf(stepClassOf(static_cast<IdleCause>(index)))));
            table.rows.push_back(std::move(row));
        }
    return table;
}

} // namespace tacho
