// SPDX-License-Identifier: Apache-2.0
#include "collector/recorder/step_log.h"

#include "collector/recorder/process_table.h"

#include <algorithm>
#include <optional>

namespace tacho {

void StepLog::add(const spool::Window& change) {
    m_changes.push_back(change);
    m_isRecording = change.isOpen != 0;
    m_isOver = change.isLast != 0;
}

void StepLog::write(TraceTables& tables, std::int32_t pid) {
    std::ranges::stable_sort(m_steps, {}, &spool::StepEnd::timeNs);
    std::optional<std::uint64_t> start;
    std::uint64_t next = 0;
    for (const spool::StepEnd& step : m_steps) {
        if (step.index != next)
            start.reset(); // the record of the step before was lost: not known when it ended
        next = step.index + 1;
        tables.step.row(globalThreadId(pid), globalThreadId(pid, step.threadId), step.index, start,
                        step.timeNs);
        start = step.timeNs;
    }

    std::ranges::stable_sort(m_changes, {}, &spool::Window::timeNs);
    std::uint64_t opened = 0; // 0: no window is open
    for (const spool::Window& change : m_changes) {
        if (change.isOpen == 0 && opened != 0)
            tables.window.row(globalThreadId(pid), opened, change.timeNs);
        if (change.isOpen == 0)
            opened = 0;
        else if (opened == 0)
            opened = change.timeNs;
    }
    if (opened != 0)
        tables.window.row(globalThreadId(pid), opened, std::optional<std::uint64_t>());
}

} // namespace tacho
