// SPDX-License-Identifier: Apache-2.0
// What the units of GPUs do: SMs, tensor cores, memory, PCIe and NVLink, by CUPTI's PM sampling.
#pragma once

#include "collector/counters/counter_log.h"
#include "collector/counters/gpu_sampler.h"
#include "collector/counters/pm_session.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tacho {

/// Samples a thousand times a second; writes that many values at first, then means of ever more samples.
class PmSampler : public GpuSampler {
  public:
    /// `load` is called when the first GPU comes.
    PmSampler(CounterLog& log, std::function<PmApi()> load) : m_log(&log), m_load(std::move(load)) {}

    void watch(const WatchedGpu& gpu) override;
    void sample(std::int64_t nowNs) override;
    void finish() override;

  private:
    /// Sums of samples that become one value.
    struct Gpu {
        std::unique_ptr<PmSession> session;
        std::string name;
        std::uint32_t uuid;
        std::vector<std::uint32_t> counters; ///< ids in the log, as the session's metrics
        std::vector<double> sums;
        std::uint64_t summed = 0, perValue = 1, written = 0;
        bool isFailureNoted = false;
    };
    [[nodiscard]] std::optional<std::size_t> deviceOf(const std::string& uuid) const;
    void noteFailure(const std::string& gpu, const std::string& why);
    void noteFailure(const std::string& gpu, CUptiResult why);
    void noteLeftOut(const Gpu& gpu);
    void decode(Gpu& gpu);
    void addSample(Gpu& gpu, std::uint64_t endNs, const std::vector<double>& values);

    CounterLog* m_log;
    std::function<PmApi()> m_load;
    std::optional<PmApi> m_api;
    std::vector<std::unique_ptr<Gpu>> m_gpus;
};

} // namespace tacho
