// SPDX-License-Identifier: Apache-2.0
// What hiding communication costs: compute kernels share memory bandwidth and multiprocessors with it.
#pragma once

#include "analyzer/metrics/kernel_times.h"
#include "analyzer/model/trace.h"

#include <optional>
#include <span>

namespace tacho {

/// Of the compute kernels that ran beside a collective for at least half of their time, those whose like
/// (same name and launch shape) also ran kLeastAlone times with no collective beside.
struct OverlapSlowdown {
    std::int64_t kernels = 0;
    DurationNs beside{0}; ///< what they took together
    DurationNs alone{0};  ///< what they would have, at the median of their like alone
    [[nodiscard]] double factor() const {
        return static_cast<double>(beside.count()) / static_cast<double>(alone.count());
    }
};
inline constexpr std::size_t kLeastAlone = 3;

/// `rows`: the work of the device, see DeviceRows. Nothing if no kernel can be compared.
[[nodiscard]] std::optional<OverlapSlowdown> measureOverlapSlowdown(const Trace& trace,
                                                                    const std::vector<KernelKind>& kinds,
                                                                    std::span<const std::uint32_t> rows);

} // namespace tacho
