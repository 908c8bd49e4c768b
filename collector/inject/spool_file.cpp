// SPDX-License-Identifier: Apache-2.0
#include "collector/inject/spool_file.h"

#include "collector/inject/spool_header.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace tacho {

namespace {

/// As fstat(), which glibc has as a function of its own only since 2.33.
bool getStatus(int fd, struct stat& status) noexcept {
    return fd >= 0 && syscall(SYS_fstat, fd, &status) == 0;
}

/// The same file under a high number, out of the way of a host that closes, or counts on getting, the lowest
/// ones.
int movedUp(int fd) noexcept {
    constexpr int kLowest[] = {800, 200}; // below the usual limit of 1024; for hosts with a lower limit
    for (const int lowest : kLowest) {
        const int high = fcntl(fd, F_DUPFD_CLOEXEC, lowest);
        if (high < 0)
            continue;
        close(fd);
        return high;
    }
    return fd;
}

} // namespace

bool SpoolFile::create(const char* directory) noexcept {
    constexpr int kMostImages = 10000; // exec keeps the pid: each image of a process gets the next number
    m_fd = -1;
    m_failed = true;
    for (int n = 0; n < kMostImages && m_fd < 0; ++n) {
        const int length =
            std::snprintf(m_path, sizeof m_path, "%s/%d-%d.spool", directory, static_cast<int>(getpid()), n);
        if (length < 0 || static_cast<std::size_t>(length) >= sizeof m_path)
            return false;
        m_fd = open(m_path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600);
        if (m_fd < 0 && errno != EEXIST)
            return false;
    }
    struct stat status {};
    if (!getStatus(m_fd, status))
        return false;
    m_device = status.st_dev;
    m_inode = status.st_ino;
    m_fd = movedUp(m_fd);
    m_failed = false;
    m_staged = 0;
    m_bytesWritten = 0;
    const spool::FileHeader header = newSpoolHeader();
    put(&header, sizeof header);
    flush();
    return true;
}

void SpoolFile::put(const void* bytes, std::size_t size) noexcept {
    if (m_staged + size > kStagingBytes)
        flush();
    if (failed() || size > kStagingBytes)
        return;
    std::memcpy(m_staging + m_staged, bytes, size);
    m_staged += size;
}

void SpoolFile::append(const void* record, std::size_t size) noexcept {
    append(record, size, nullptr, 0);
}

void SpoolFile::append(const void* record, std::size_t size, const void* tail,
                       std::size_t tailSize) noexcept {
    constexpr std::uint8_t kZeroes[spool::kAlignment] = {};
    const std::size_t padded = spool::paddedBytes(size, tailSize);
    if (m_staged + padded > kStagingBytes)
        flush(); // so that a record is never cut by a flush: the reader sees whole records or none
    put(record, size);
    if (tailSize > 0)
        put(tail, tailSize);
    put(kZeroes, padded - size - tailSize);
}

bool SpoolFile::isOurs(int fd) const noexcept {
    struct stat status {};
    return getStatus(fd, status) && status.st_dev == m_device && status.st_ino == m_inode;
}

bool SpoolFile::hasDescriptor() noexcept {
    if (isOurs(m_fd))
        return true;
    // What the number stands for now is the host's: it is left as it is.
    const int fd = open(m_path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW);
    if (isOurs(fd))
        m_fd = movedUp(fd);
    else if (fd >= 0)
        close(fd);
    return isOurs(m_fd);
}

void SpoolFile::flush() noexcept {
    std::size_t done = 0;
    if (m_staged > 0 && !m_failed && !hasDescriptor())
        fail();
    while (done < m_staged && !m_failed) {
        const ssize_t written = write(m_fd, m_staging + done, m_staged - done);
        if (written > 0)
            done += static_cast<std::size_t>(written);
        else if (errno != EINTR)
            fail();
    }
    m_bytesWritten += done;
    m_staged = 0;
}

void SpoolFile::fail() noexcept {
    if (isOurs(m_fd))
        close(m_fd);
    m_fd = -1;
    m_failed = true;
    char mark[sizeof m_path + sizeof spool::kFailedSuffix];
    std::snprintf(mark, sizeof mark, "%s%s", m_path, spool::kFailedSuffix);
    const int fd = open(mark, O_WRONLY | O_CREAT | O_CLOEXEC, 0600); // empty: that takes no room on the disk
    if (fd >= 0)
        close(fd);
}

} // namespace tacho
