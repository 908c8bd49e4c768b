// SPDX-License-Identifier: Apache-2.0
// Where the rows of the file that is being read begin in each table of a trace.
#pragma once

#include "analyzer/model/trace.h"

namespace tacho {

/// Made before a file is read into a trace. REQUIRES that tables only grow until the last use.
class FileRows {
  public:
    explicit FileRows(const Trace& trace);

    [[nodiscard]] bool haveGpuOps(const Trace& trace) const { return trace.gpuOps.size() > m_gpuOps; }
    [[nodiscard]] bool haveApiCalls(const Trace& trace) const { return trace.apiCalls.size() > m_apiCalls; }
    /// Moves all times of the file.
    void shift(Trace& trace, DurationNs by) const;
    /// Takes away all that the file brought but its texts.
    void discard(Trace& trace) const;

  private:
    std::size_t m_processes, m_threads, m_devices, m_launchShapes;
    std::size_t m_gpuOps, m_apiCalls, m_ranges, m_syncs, m_overheads, m_steps, m_windows, m_calibration,
        m_health;
    std::size_t m_jitOperations, m_modules, m_memoryEvents, m_memorySamples, m_collectives, m_kernelCode,
        m_counters;
};

} // namespace tacho
