// SPDX-License-Identifier: Apache-2.0
#include "collector/recorder/step_log.h"

#include "collector/recorder/process_table.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace tacho {

void StepLog::add(const spool::Window& change) {
    m_changes.push_back(change);
    m_isRecording = change.isOpen != 0;
    m_isOver = change.isLast != 0;
}

void StepLog::write(TraceTables& tables, std::int32_t pid) {
    const std::vector<TimedStep> steps = writeSteps(tables, pid);
    const std::vector<TimeSpan> windows = writeWindows(tables, pid);
    std::vector<TimeSpan> fullSpeed;
    for (const spool::FullSpeed& time : m_fullSpeed)
        fullSpeed.push_back({time.startNs, time.endNs});
    std::ranges::sort(fullSpeed, {}, &TimeSpan::startNs);
    for (const StepBlock& block : calibrationBlocks(steps, windows, fullSpeed))
        tables.calibration.row(globalThreadId(pid), block.isProfiled ? 1 : 0, block.firstStep, block.lastStep,
                               block.time.startNs, block.time.endNs, block.stepNs());
}

std::vector<TimedStep> StepLog::writeSteps(TraceTables& tables, std::int32_t pid) {
    std::ranges::stable_sort(m_steps, {}, &spool::StepEnd::timeNs);
    std::vector<TimedStep> timed;
    const spool::StepEnd* before = nullptr;
    for (const spool::StepEnd& step : m_steps) {
        std::optional<std::uint64_t> start; // not known where the record of the step before was lost
        if (before != nullptr && step.index == before->index + 1) {
            start = before->timeNs;
            timed.push_back({step.index, {before->timeNs, step.timeNs}});
        }
        before = &step;
        tables.step.row(globalThreadId(pid), globalThreadId(pid, step.threadId), step.index, start,
                        step.timeNs);
    }
    return timed;
}

std::vector<TimeSpan> StepLog::writeWindows(TraceTables& tables, std::int32_t pid) {
    std::ranges::stable_sort(m_changes, {}, &spool::Window::timeNs);
    std::vector<TimeSpan> windows;
    std::uint64_t opened = 0; // 0: no window is open
    for (const spool::Window& change : m_changes) {
        if (change.isOpen == 0 && opened != 0) {
            tables.window.row(globalThreadId(pid), opened, change.timeNs);
            windows.push_back({opened, change.timeNs});
        }
        if (change.isOpen == 0)
            opened = 0;
        else if (opened == 0)
            opened = change.timeNs;
    }
    if (opened != 0) {
        tables.window.row(globalThreadId(pid), opened, std::optional<std::uint64_t>());
        windows.push_back({opened, std::numeric_limits<std::uint64_t>::max()});
    }
    return windows;
}

} // namespace tacho
