// SPDX-License-Identifier: Apache-2.0
#include "collector/counters/make_pm_sampler.h"

namespace tacho {

namespace {

class NoPmSampler : public GpuSampler {
  public:
    explicit NoPmSampler(CounterLog& log) : m_log(&log) {}
    void watch(const WatchedGpu& /*gpu*/) override {
        m_log->addProblem(
            spool::Severity::Warning, "no_counters",
            "GPU counters are not recorded: this tacho was built without CUPTI of CUDA 12.6 or newer");
    }
    void sample(std::int64_t /*nowNs*/) override {}

  private:
    CounterLog* m_log;
};

} // namespace

std::unique_ptr<GpuSampler> makePmSampler(CounterLog& log, const std::optional<std::string>& /*cupti*/) {
    return std::make_unique<NoPmSampler>(log);
}

} // namespace tacho
