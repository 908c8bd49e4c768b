// SPDX-License-Identifier: Apache-2.0
// The clock of everything in the spool.
#pragma once

#include <cstdint>
#include <ctime>

namespace tacho {

/// Nanoseconds of CLOCK_MONOTONIC: one clock for all processes of a machine, never set back.
inline std::uint64_t hostNowNs() noexcept {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000U + static_cast<std::uint64_t>(now.tv_nsec);
}

} // namespace tacho
