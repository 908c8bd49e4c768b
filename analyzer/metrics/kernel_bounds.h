// SPDX-License-Identifier: Apache-2.0
// What limits kernels, as far as GPU counters were sampled while nothing else ran.
#pragma once

#include "analyzer/model/trace.h"

#include <string_view>
#include <vector>

namespace tacho {

enum class KernelBound : std::uint8_t {
    Memory,  ///< reads and writes of DRAM together reach kBoundShare of its peak
    Compute, ///< tensor cores are active for kBoundShare of the time
    Neither, ///< latency, ordinary cores, caches, or too few blocks: these counters do not tell
};
[[nodiscard]] std::string_view nameOf(KernelBound bound);

/// Nsight Compute calls a unit that is used for over 60 % of its peak the limit.
inline constexpr double kBoundShare = 60; ///< percent

/// Of all launches of one name on one device, by the samples that lie wholly inside of one of them while no
/// other kernel ran. Kernels shorter than the time between samples (a millisecond at best) have none.
struct SampledKernel {
    DeviceIndex device{};
    StringId name{};
    std::int64_t samples = 0;
    double dram = 0, tensor = 0; ///< means, percent of peak
    [[nodiscard]] KernelBound bound() const;
};

/// Most samples first. Empty where DRAM and tensor counters were not recorded (tacho record --counters).
[[nodiscard]] std::vector<SampledKernel> sampledKernels(const Trace& trace);

} // namespace tacho
