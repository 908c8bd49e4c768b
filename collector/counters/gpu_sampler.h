// SPDX-License-Identifier: Apache-2.0
// A source of GPU counters.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace tacho {

/// A GPU as the command's processes see it.
struct WatchedGpu {
    std::string uuid;        ///< "GPU-xxxxxxxx-..."
    std::string busLocation; ///< "0000:3b:00.0"
};

/// Writes to the CounterLog it was made with. Loads the vendor's library when the first GPU comes, so that a
/// command without GPUs costs nothing. Used by one thread. What fails becomes a health note in the log.
class GpuSampler {
  public:
    GpuSampler() = default;
    GpuSampler(const GpuSampler&) = delete;
    GpuSampler& operator=(const GpuSampler&) = delete;
    virtual ~GpuSampler() = default;

    /// From now on this GPU is sampled as well.
    virtual void watch(const WatchedGpu& gpu) = 0;
    /// Takes one sample of every watched GPU. `nowNs`: CLOCK_MONOTONIC.
    virtual void sample(std::int64_t nowNs) = 0;
    /// Called once, after the last sample.
    virtual void finish() {}
};

} // namespace tacho
