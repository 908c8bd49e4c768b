// SPDX-License-Identifier: Apache-2.0
// How every spool file begins.
#pragma once

#include "collector/inject/host_clock.h"
#include "collector/inject/spool_format.h"

#include <cstring>
#include <ctime>
#include <unistd.h>

namespace tacho {

/// The header of a file that this process begins now.
inline spool::FileHeader newSpoolHeader() noexcept {
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
    return header;
}

} // namespace tacho
