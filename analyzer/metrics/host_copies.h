// SPDX-License-Identifier: Apache-2.0
// Copies between host and GPU, and from GPU to GPU: how much, how fast, from which memory, and how much of it
// kernels hid.
#pragma once

#include "analyzer/metrics/intervals.h"
#include "analyzer/model/trace.h"

#include <span>

namespace tacho {

/// Copies of one direction that start in the window.
struct CopyTotal {
    std::int64_t count = 0, bytes = 0;
    DurationNs time{0};    ///< length of the union
    DurationNs exposed{0}; ///< of it, while no kernel ran
    /// 0 if no time was spent.
    [[nodiscard]] double gigabytesPerSecond() const;
};

struct HostCopies {
    CopyTotal toDevice, toHost; ///< from and to any host memory
    CopyTotal pageable;         ///< both directions, host side pageable
    CopyTotal pageableToDevice, pageableToHost;
    DurationNs exposed{0}; ///< union of both directions between host and GPU while no kernel ran
    CopyTotal peer;        ///< from GPU to GPU; exposed: while neither a kernel nor a copy of the host ran
};

/// `rows`: the work of the device; `kernels`: when it ran kernels.
[[nodiscard]] HostCopies measureHostCopies(const Trace& trace, std::span<const std::uint32_t> rows,
                                           Interval window, const IntervalSet& kernels);

} // namespace tacho
