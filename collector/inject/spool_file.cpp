// SPDX-License-Identifier: Apache-2.0
#include "collector/inject/spool_file.h"

#include "collector/inject/host_clock.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace tacho {

bool SpoolFile::create(const char* directory) noexcept {
    constexpr int kMostImages = 1000; // exec keeps the pid: each image of a process gets the next number
    char path[4096];
    m_fd = -1;
    for (int n = 0; n < kMostImages && m_fd < 0; ++n) {
        const int length =
            std::snprintf(path, sizeof path, "%s/%d-%d.spool", directory, static_cast<int>(getpid()), n);
        if (length < 0 || static_cast<std::size_t>(length) >= sizeof path)
            return false;
        m_fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600);
        if (m_fd < 0 && errno != EEXIST)
            return false;
    }
    m_staged = 0;
    m_bytesWritten = 0;
    timespec utc{};
    clock_gettime(CLOCK_REALTIME, &utc);
    spool::FileHeader header{};
    std::memcpy(header.magic, spool::kMagic, sizeof header.magic);
    header.version = spool::kVersion;
    header.headerBytes = sizeof header;
    header.pid = static_cast<std::int32_t>(getpid());
    header.parentPid = static_cast<std::int32_t>(getppid());
    header.startNs = hostNowNs();
    header.startUtcNs =
        static_cast<std::uint64_t>(utc.tv_sec) * 1'000'000'000U + static_cast<std::uint64_t>(utc.tv_nsec);
    put(&header, sizeof header);
    flush();
    return !failed();
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

void SpoolFile::flush() noexcept {
    std::size_t done = 0;
    while (done < m_staged && !failed()) {
        const ssize_t written = write(m_fd, m_staging + done, m_staged - done);
        if (written > 0)
            done += static_cast<std::size_t>(written);
        else if (errno != EINTR)
            close();
    }
    m_bytesWritten += done;
    m_staged = 0;
}

void SpoolFile::close() noexcept {
    if (m_fd >= 0)
        ::close(m_fd);
    m_fd = -1;
}

} // namespace tacho
