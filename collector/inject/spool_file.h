// SPDX-License-Identifier: Apache-2.0
// The file that the recorder follows.
#pragma once

#include "collector/inject/spool_format.h"

#include <cstddef>
#include <cstdint>
#include <sys/types.h>

namespace tacho {

/// Appends records to this process's spool file. Used by the writer thread only.
///
/// The first failure (disk full) ends writing for good and leaves a mark beside the file; what was flushed
/// before stays readable. The host may close our descriptor and get its number for a file of its own: so each
/// flush looks whose it is, and opens the spool file anew if it must.
class SpoolFile {
  public:
    /// Creates `directory`/<pid>-<n>.spool and writes its header (see failed()). False: it cannot be made;
    /// errno says why.
    [[nodiscard]] bool create(const char* directory) noexcept;
    /// Appends `size` bytes and then zeroes up to the format's alignment. `size` includes the record's
    /// header, whose `bytes` must already be padded.
    void append(const void* record, std::size_t size) noexcept;
    /// As append(), for a record whose trailing bytes lie elsewhere.
    void append(const void* record, std::size_t size, const void* tail, std::size_t tailSize) noexcept;
    void flush() noexcept;
    [[nodiscard]] bool failed() const noexcept { return m_failed; }
    [[nodiscard]] std::uint64_t bytesWritten() const noexcept { return m_bytesWritten; }

  private:
    [[nodiscard]] bool hasDescriptor() noexcept;
    [[nodiscard]] bool isOurs(int fd) const noexcept;
    void fail() noexcept;
    void put(const void* bytes, std::size_t size) noexcept;

    static constexpr std::size_t kStagingBytes = std::size_t{256} * 1024;
    int m_fd = -1;
    bool m_failed = true; ///< until create()
    dev_t m_device = 0;
    ino_t m_inode = 0;
    char m_path[4096] = {};
    std::size_t m_staged = 0;
    std::uint64_t m_bytesWritten = 0;
    alignas(8) std::uint8_t m_staging[kStagingBytes] = {};
};

} // namespace tacho
