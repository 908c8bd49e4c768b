// SPDX-License-Identifier: Apache-2.0
// What the floor switches on, from the environment.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace tacho {

/// Absent: left as CUPTI has it. Without any variable the floor is bare CUPTI with tacho's kinds and API
/// calls.
struct FloorOptions {
    enum class Api : std::uint8_t {
        AllButUnlisted, ///< the kind on, then the calls off that tacho leaves out: as tacho does it
        OnlyListed,     ///< the calls of tacho's list on, one by one
        Whole,          ///< the kind on, and no call off
    };

    const char* kinds = "kernel,memcpy,memset,overhead,jit,memory,runtime,driver"; ///< FLOOR_KINDS
    Api api = Api::AllButUnlisted;           ///< FLOOR_API: all_but_unlisted, only_listed, whole
    bool subscribes = false;                 ///< FLOOR_SUBSCRIBE=1
    bool ownClock = false;                   ///< FLOOR_OWN_CLOCK=1: timestamp callback, CLOCK_MONOTONIC
    bool systemThreadIds = false;            ///< FLOOR_SYSTEM_THREAD_IDS=1
    std::optional<bool> zeroedBuffers;       ///< FLOOR_ZEROED: 1: CUPTI shall not zero host buffers
    std::optional<bool> perThreadBuffers;    ///< FLOOR_PER_THREAD
    std::optional<bool> pinnedDeviceBuffers; ///< FLOOR_PINNED: in host memory instead of the GPU's
    std::optional<bool> allSyncRecords;      ///< FLOOR_ALL_SYNC: 0: not those of queries that say "not ready"
    std::optional<std::size_t> deviceBufferBytes; ///< FLOOR_DEVICE_BUFFER_BYTES
    std::optional<std::size_t> deviceBuffers;     ///< FLOOR_DEVICE_BUFFERS: made before they are needed
    std::optional<std::uint32_t> flushPeriodMs;   ///< FLOOR_FLUSH_MS

    /// A value that means nothing ends the process: a wrong benchmark is worse than none.
    [[nodiscard]] static FloorOptions fromEnvironment() noexcept;
    [[nodiscard]] bool hasKind(const char* kind) const noexcept;
};

} // namespace tacho
