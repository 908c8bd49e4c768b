// SPDX-License-Identifier: Apache-2.0
// Copies by direction and kind of memory: how much, how fast, and what they get in the way of.
#pragma once

#include "analyzer/metrics/device_rows.h"
#include "analyzer/metrics/intervals.h"
#include "analyzer/model/trace.h"

#include <optional>
#include <vector>

namespace tacho {

/// A copy this large takes so long that its start-up does not count: its speed is that of the link.
inline constexpr std::int64_t kLargeCopyBytes = 1'000'000;

/// All copies of one direction between the same kinds of memory on one device.
struct CopySummary {
    DeviceIndex device{};
    CopyKind kind = CopyKind::Unknown;
    MemoryKind source = MemoryKind::Unknown, destination = MemoryKind::Unknown;
    std::int64_t count = 0, bytes = 0;
    DurationNs time{0};           ///< length of the union
    DurationNs exposed{0};        ///< of it, while no kernel ran on the device
    std::int64_t synchronous = 0; ///< whose call holds the host until they are done, by its name
    std::int64_t onComputeStream =
        0; ///< on the stream that carries most kernels: they cannot run beside those
    std::optional<double>
        largeBytesPerSecond; ///< of the copies of kLargeCopyBytes or more; absent: there are none

    [[nodiscard]] double bytesPerSecond() const; ///< bytes by time; 0 if none was spent
};

/// Most time first.
[[nodiscard]] std::vector<CopySummary> summariseCopies(const Trace& trace);

} // namespace tacho
