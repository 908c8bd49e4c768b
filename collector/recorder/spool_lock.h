// SPDX-License-Identifier: Apache-2.0
// Says that a spool directory is being converted.
#pragma once

#include <filesystem>

namespace tacho {

/// Held by one process at a time, and let go when that process ends, however it ends.
class SpoolLock {
  public:
    /// REQUIRES a session file in the directory. Throws Error if another process holds the lock.
    explicit SpoolLock(const std::filesystem::path& spoolDirectory);
    SpoolLock(const SpoolLock&) = delete;
    SpoolLock& operator=(const SpoolLock&) = delete;
    ~SpoolLock();

  private:
    int m_file;
};

} // namespace tacho
