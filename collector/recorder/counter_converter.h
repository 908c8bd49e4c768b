// SPDX-License-Identifier: Apache-2.0
// Turns the spool file of a GPU sampler into table rows.
#pragma once

#include "collector/recorder/spool_reader.h"
#include "collector/recorder/trace_writer.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

namespace tacho {

/// Whether a file of the spool directory is one of a sampler: "counters-nvml.spool".
[[nodiscard]] bool isCounterFile(const std::filesystem::path& file);

/// Values of a GPU that no process has named are left out and become a health note. Throws Error when the
/// trace cannot be written. Borrows the TraceRows.
class CounterConverter {
  public:
    CounterConverter(const std::filesystem::path& file, TraceRows& rows) : m_rows(&rows), m_reader(file) {}

    /// Converts what the file has by now.
    void convert();

  private:
    void add(const spool::CounterValue& value);

    TraceRows* m_rows;
    SpoolReader m_reader;
    std::map<std::uint32_t, std::string> m_texts;
};

} // namespace tacho
