// SPDX-License-Identifier: Apache-2.0
// Turns the records of one spool file into table rows.
#pragma once

#include "collector/recorder/activity_rows.h"
#include "collector/recorder/nvtx_ranges.h"
#include "collector/recorder/process_table.h"
#include "collector/recorder/spool_reader.h"
#include "collector/recorder/step_log.h"
#include "collector/recorder/thread_names.h"
#include "collector/recorder/trace_writer.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace tacho {

/// Nothing in a spool file makes it fail: what cannot be used is counted and becomes health. Throws Error
/// when the trace cannot be written. Borrows the TraceRows.
class SpoolConverter {
  public:
    SpoolConverter(const std::filesystem::path& spoolFile, TraceRows& rows);
    SpoolConverter(const SpoolConverter&) = delete;
    SpoolConverter& operator=(const SpoolConverter&) = delete;

    /// Converts what the file has by now. Returns the number of records.
    std::uint64_t convert();
    /// Writes what can only be known at the end. The file is not read any more.
    void finish();

    /// The process said that nothing follows.
    [[nodiscard]] bool hasEnded() const { return m_process.endNs.has_value(); }
    /// hasEnded() is still to come: the process lives.
    [[nodiscard]] bool isGrowing() const;
    [[nodiscard]] std::int32_t pid() const { return m_process.pid; }
    [[nodiscard]] const StepLog& steps() const { return m_steps; }

  private:
    void begin();
    void convert(const SpoolRecord& record);
    [[nodiscard]] bool convertActivity(const SpoolRecord& record);
    [[nodiscard]] bool convertNvtx(const SpoolRecord& record);
    [[nodiscard]] bool convertProcess(const SpoolRecord& record);
    [[nodiscard]] bool addString(const SpoolRecord& record);
    [[nodiscard]] bool addNvtxEvent(const SpoolRecord& record);
    [[nodiscard]] bool addNvtxPayload(const SpoolRecord& record);
    [[nodiscard]] bool addNvtxName(const SpoolRecord& record);
    [[nodiscard]] bool addModuleCode(const SpoolRecord& record);
    [[nodiscard]] bool addFact(const SpoolRecord& record);
    [[nodiscard]] bool addHealth(const SpoolRecord& record);
    void setCommand(std::string_view lines);
    void writeNvtx(const NvtxRow& row);
    void reportLosses();
    void reportEnd();

    std::filesystem::path m_path;
    TraceRows* m_rows;
    SpoolReader m_reader;
    RecordedProcess m_process;
    std::optional<ActivityRows> m_activity; ///< set once the header was read
    NvtxRanges m_nvtx;
    StepLog m_steps;
    ThreadNames m_threadNames;
    bool m_hasNvtx = false;
    std::uint64_t m_unusable = 0; ///< records of unknown type, or too short for their type
};

} // namespace tacho
