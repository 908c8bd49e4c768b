// SPDX-License-Identifier: Apache-2.0
// Appends counter values to a spool file, for the recorder to read.
#pragma once

#include "collector/inject/spool_format.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace tacho {

/// The file has the form of the spool files of processes, with String, CounterValue and Health records only.
/// It is begun with the first record. A file that cannot be written, or whose disk is full, is given up
/// silently: counters are worth no trouble. Used by one thread.
class CounterLog {
  public:
    explicit CounterLog(std::filesystem::path file) : m_path(std::move(file)) {}
    CounterLog(const CounterLog&) = delete;
    CounterLog& operator=(const CounterLog&) = delete;
    ~CounterLog();

    /// The id of a GPU's UUID or a counter's name, by which values refer to it.
    [[nodiscard]] std::uint32_t idOf(std::string_view text);
    /// `timeNs` is of CLOCK_MONOTONIC.
    void add(std::uint32_t gpu, std::uint32_t counter, std::int64_t timeNs, double value);
    /// Only the first problem of a code is kept.
    void addProblem(spool::Severity severity, std::string_view code, std::string_view message);
    /// Hands all values so far to the recorder.
    void flush();

  private:
    void begin();
    template <class R>
    void append(spool::RecordType type, R fixed, std::string_view text = {});

    std::filesystem::path m_path;
    int m_file = -1;
    bool m_isGivenUp = false;
    std::string m_pending;
    std::map<std::string, std::uint32_t, std::less<>> m_ids;
    std::set<std::string, std::less<>> m_problems; ///< codes
};

} // namespace tacho
