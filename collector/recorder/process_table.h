// SPDX-License-Identifier: Apache-2.0
// The processes of a capture: when they lived, what they ran, which rank they had.
#pragma once

#include "analyzer/sqlite/sqlite.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tacho {

/// nsys' layout with hardware and VM id 0; see share/schema.sql.
constexpr std::int64_t globalThreadId(std::int64_t pid, std::int64_t threadId = 0) {
    return (pid & 0xffffff) << 24 | (threadId & 0xffffff);
}

/// What is known of one process image.
struct RecordedProcess {
    std::int32_t pid = 0;
    std::int32_t parentPid = 0;
    std::int64_t startNs = 0;
    std::optional<std::int64_t> endNs; ///< absent: it did not end in order
    std::string commandLine;           ///< secrets hidden; empty: not known
    std::string name;                  ///< of the program; empty: not known
    std::map<std::string, std::string>
        facts; ///< from the hook; "rank", "local_rank", "world_size" among them
};

/// Images of one process (it called exec) become one row: start of the first; the rest as the last one that
/// knew it said.
class ProcessTable {
  public:
    void add(RecordedProcess process);
    /// Fills TACHO_PROCESSES, PROCESSES and TACHO_FRAMEWORK.
    void write(const Database& db) const;
    [[nodiscard]] bool empty() const { return m_images.empty(); }
    /// The first value found of a fact; for facts that are the same in all processes.
    [[nodiscard]] std::optional<std::string> fact(const std::string& name) const;

  private:
    std::map<std::int32_t, std::vector<RecordedProcess>> m_images; ///< by pid, in the order of their starts
};

} // namespace tacho
