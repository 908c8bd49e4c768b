// SPDX-License-Identifier: Apache-2.0
// Numbers for the processes and threads of a trace in the layout of global ids (see schema.sql).
#pragma once

#include "analyzer/model/trace.h"

#include <vector>

namespace tacho {

/// No two processes, and no two threads, have the same number. Processes of the same pid (ranks in
/// containers) differ in the VM id; a thread id that does not fit in 24 bits, or is taken, is replaced by a
/// free one.
class GlobalIds {
  public:
    explicit GlobalIds(const Trace& trace);

    [[nodiscard]] std::int64_t of(ProcessIndex process) const {
        return m_processes[static_cast<std::size_t>(process)];
    }
    [[nodiscard]] std::int64_t of(ThreadIndex thread) const {
        return m_threads[static_cast<std::size_t>(thread)];
    }

  private:
    std::vector<std::int64_t> m_processes, m_threads;
};

} // namespace tacho
