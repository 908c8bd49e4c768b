// SPDX-License-Identifier: Apache-2.0
#include "collector/recorder/spool_lock.h"

#include "analyzer/model/error.h"
#include "collector/recorder/capture_session.h"

#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

namespace tacho {

SpoolLock::SpoolLock(const std::filesystem::path& spoolDirectory)
    : m_file(open(CaptureSession::fileIn(spoolDirectory).c_str(), O_RDONLY | O_CLOEXEC)) {
    // A file system without locks (some network ones) is no reason not to record.
    if (m_file >= 0 && flock(m_file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        close(m_file);
        throw Error(fmt::format("{}: a recorder is still using it; wait until it has ended",
                                spoolDirectory.string()));
    }
}

SpoolLock::~SpoolLock() {
    if (m_file >= 0)
        close(m_file);
}

} // namespace tacho
