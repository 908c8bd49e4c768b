// SPDX-License-Identifier: Apache-2.0
// Converts a spool directory, while it grows or afterwards.
#pragma once

#include "collector/recorder/counter_converter.h"
#include "collector/recorder/spool_converter.h"
#include "collector/recorder/trace_writer.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace tacho {

/// How far the processes are with their training steps.
struct FollowedSteps {
    std::size_t steps = 0;      ///< of the process that has made most
    bool isRecording = false;   ///< some process records GPU activity
    bool hasRecorded = false;   ///< some process does or did
    bool isOver = false;        ///< some process that still lives did, and will not again of itself
    bool mayRecordMore = false; ///< some process that still lives did, and may again
    /// The training goes on, but what may still come is no part of the window.
    [[nodiscard]] bool isWindowOver() const { return isOver && !mayRecordMore; }
};

/// Used by one thread. Borrows the TraceWriter. Throws Error where the trace cannot be written or the
/// directory not be read; one that was removed meanwhile becomes health.
class SpoolFollower {
  public:
    SpoolFollower(std::filesystem::path spoolDirectory, TraceWriter& writer);
    SpoolFollower(const SpoolFollower&) = delete;
    SpoolFollower& operator=(const SpoolFollower&) = delete;

    /// Converts what is new since the last call, in one transaction.
    void poll();
    /// Converts what is left, then writes what can only be known at the end.
    void finish();

    [[nodiscard]] std::uint64_t events() const { return m_events; }
    [[nodiscard]] FollowedSteps steps() const;
    /// Processes that still live and have more to write.
    [[nodiscard]] std::vector<std::int32_t> growingProcesses() const;

  private:
    using ImageKey = std::pair<std::int64_t, std::int64_t>; ///< process id, number: "<pid>-<n>.spool"
    void findFiles();
    void noteRemovedFolder();
    void convert();

    std::filesystem::path m_directory;
    TraceWriter* m_writer;
    std::map<ImageKey, std::unique_ptr<SpoolConverter>> m_files; ///< null: finished
    std::map<std::filesystem::path, CounterConverter> m_counters;
    FollowedSteps m_finishedSteps;
    std::uint64_t m_events = 0;
    bool m_isFolderRemoved = false;
};

} // namespace tacho
