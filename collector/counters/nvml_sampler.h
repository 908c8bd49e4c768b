// SPDX-License-Identifier: Apache-2.0
// Memory, clock, throttling and power of GPUs, as NVML tells them.
#pragma once

#include "collector/counters/counter_log.h"
#include "collector/counters/gpu_sampler.h"
#include "collector/counters/nvml_api.h"

#include <array>
#include <functional>
#include <optional>
#include <vector>

namespace tacho {

class NvmlSampler : public GpuSampler {
  public:
    static constexpr std::size_t kReadingCount = 4;

    /// `load` is called when the first GPU comes.
    NvmlSampler(CounterLog& log, std::function<nvml::Api()> load) : m_log(&log), m_load(std::move(load)) {}

    void watch(const WatchedGpu& gpu) override;
    void sample(std::int64_t nowNs) override;

  private:
    struct Gpu {
        nvml::Device* device;
        std::uint32_t uuid;                        ///< id in the log
        std::array<bool, kReadingCount> isMissing; ///< what NVML does not tell of this GPU
    };
    void noteFailure(const WatchedGpu& gpu, const char* why);

    CounterLog* m_log;
    std::function<nvml::Api()> m_load;
    std::optional<nvml::Api> m_api;
    std::vector<Gpu> m_gpus;
};

} // namespace tacho
