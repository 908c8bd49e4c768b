// SPDX-License-Identifier: Apache-2.0
// The file that the recorder follows.
#pragma once

#include "collector/inject/spool_format.h"

#include <cstddef>
#include <cstdint>

namespace tacho {

/// Appends records to this process's spool file. Used by the writer thread only.
///
/// The first failure (disk full, folder gone) closes the file for good; what was flushed before stays
/// readable.
class SpoolFile {
  public:
    /// Creates `directory`/<pid>-<n>.spool and writes its header. False: it cannot be made; errno says why.
    [[nodiscard]] bool create(const char* directory) noexcept;
    /// Appends `size` bytes and then zeroes up to the format's alignment. `size` includes the record's
    /// header, whose `bytes` must already be padded.
    void append(const void* record, std::size_t size) noexcept;
    /// As append(), for a record whose trailing bytes lie elsewhere.
    void append(const void* record, std::size_t size, const void* tail, std::size_t tailSize) noexcept;
    void flush() noexcept;
    void close() noexcept;
    [[nodiscard]] bool failed() const noexcept { return m_fd < 0; }
    [[nodiscard]] std::uint64_t bytesWritten() const noexcept { return m_bytesWritten; }

  private:
    void put(const void* bytes, std::size_t size) noexcept;

    static constexpr std::size_t kStagingBytes = std::size_t{256} * 1024;
    int m_fd = -1;
    std::size_t m_staged = 0;
    std::uint64_t m_bytesWritten = 0;
    alignas(8) std::uint8_t m_staging[kStagingBytes] = {};
};

} // namespace tacho
