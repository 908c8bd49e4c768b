// SPDX-License-Identifier: Apache-2.0
// Makes one trace file: x.sqlite.partial while it grows, x.sqlite once it is complete.
#pragma once

#include "analyzer/sqlite/sqlite.h"
#include "collector/recorder/capture_session.h"
#include "collector/recorder/counter_table.h"
#include "collector/recorder/gpu_table.h"
#include "collector/recorder/health_log.h"
#include "collector/recorder/process_table.h"
#include "collector/recorder/string_ids.h"
#include "collector/recorder/trace_tables.h"

#include <filesystem>
#include <optional>

namespace tacho {

/// All that spool files are turned into. What is small is kept in memory until the file is finished.
struct TraceRows {
    explicit TraceRows(const Database& db) : strings(db), tables(db), gpus(db), counters(db) {}

    StringIds strings;
    TraceTables tables;
    GpuTable gpus;
    CounterTable counters;
    ProcessTable processes;
    HealthLog health;
};

/// Used by one thread. A file that is not finished is removed: the spool still has everything. (A recorder
/// that is killed leaves the partial file, which opens as far as it got.)
class TraceWriter {
  public:
    /// Throws Error if the file cannot be made.
    TraceWriter(std::filesystem::path file, const CaptureSession& session);
    TraceWriter(const TraceWriter&) = delete;
    TraceWriter& operator=(const TraceWriter&) = delete;
    ~TraceWriter();

    [[nodiscard]] TraceRows& rows() { return *m_rows; }
    /// Rows are added inside a batch; it must be committed. Any failure to write throws Error.
    [[nodiscard]] Transaction beginBatch() { return Transaction(*m_db); }
    /// Completes the file and gives it its name. Nothing may be added afterwards.
    void finish(const CaptureSession& session);
    [[nodiscard]] const std::filesystem::path& partialFile() const { return m_partial; }

  private:
    void create(const CaptureSession& session);
    void discard();
    void writeStart(const CaptureSession& session);
    void writeEnd(const CaptureSession& session);

    std::filesystem::path m_file, m_partial;
    std::optional<Database> m_db; // before m_rows: its statements must be gone before the database is
    std::optional<TraceRows> m_rows;
};

} // namespace tacho
