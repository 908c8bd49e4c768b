// SPDX-License-Identifier: Apache-2.0
// Training steps and capture windows of one process, and what recording costs its steps.
#pragma once

#include "collector/inject/spool_format.h"
#include "collector/recorder/calibration.h"
#include "collector/recorder/trace_tables.h"

#include <cstdint>
#include <vector>

namespace tacho {

/// Collects them, as spool records come in no particular order, and writes them sorted by time.
class StepLog {
  public:
    void add(const spool::StepEnd& step) { m_steps.push_back(step); }
    void add(const spool::Window& change);
    void add(const spool::FullSpeed& time) { m_fullSpeed.push_back(time); }
    void write(TraceTables& tables, std::int32_t pid);

    [[nodiscard]] std::size_t steps() const { return m_steps.size(); }
    /// As of the last change that was added.
    [[nodiscard]] bool isRecording() const { return m_isRecording; }
    [[nodiscard]] bool hasRecorded() const { return !m_changes.empty(); }
    /// It recorded, and will not again of itself.
    [[nodiscard]] bool isOver() const { return m_isOver; }

  private:
    std::vector<TimedStep> writeSteps(TraceTables& tables, std::int32_t pid);
    std::vector<TimeSpan> writeWindows(TraceTables& tables, std::int32_t pid);

    std::vector<spool::StepEnd> m_steps;
    std::vector<spool::Window> m_changes;
    std::vector<spool::FullSpeed> m_fullSpeed;
    bool m_isRecording = false;
    bool m_isOver = false;
};

} // namespace tacho
