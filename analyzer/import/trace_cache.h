// SPDX-License-Identifier: Apache-2.0
// A loaded Trace on disk, so that big files are quick to open again.
//
// The cache is beside the first file of the session, or if that folder cannot be written in
// $XDG_CACHE_HOME/tacho (~/.cache/tacho). It may be deleted at any time. It holds the columns as they are in
// memory, and is used only by the very program that wrote it, for files that have not changed since. Whatever
// is wrong with it, or with writing it: it is as if there were none.
#pragma once

#include "analyzer/model/trace.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tacho {

class TraceCache {
  public:
    /// Below, reading the files themselves takes a second at most.
    static constexpr std::uint64_t kLeastBytes = 50'000'000;

    /// For files of less than `leastBytes` together it neither reads nor writes. TACHO_CACHE=off: the same.
    explicit TraceCache(const std::vector<std::string>& files, std::uint64_t leastBytes = kLeastBytes);

    [[nodiscard]] std::optional<Trace> read() const;
    void write(Trace& trace) const; ///< the trace is only read

  private:
    std::string m_key;                 ///< empty: no cache for these files
    std::vector<std::string> m_places; ///< in order of preference
};

} // namespace tacho
