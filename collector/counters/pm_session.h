// SPDX-License-Identifier: Apache-2.0
// PM sampling of one GPU by CUPTI.
#pragma once

#include "collector/counters/pm_api.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tacho {

/// A sample: the end of its interval, and the means over it in the order of the metrics.
using UseSample = std::function<void(std::uint64_t endNs, const std::vector<double>& values)>;

/// Samples from its construction, where `failure` is 0, to its end. Borrows the PmApi. Used by one thread.
class PmSession {
  public:
    /// Of `metrics` those stay that this GPU has and that can be sampled together.
    PmSession(const PmApi& api, std::size_t device, const std::vector<const char*>& metrics);
    PmSession(const PmSession&) = delete;
    PmSession& operator=(const PmSession&) = delete;
    ~PmSession();

    [[nodiscard]] CUptiResult failure() const { return m_failure; }
    [[nodiscard]] const std::vector<const char*>& metrics() const { return m_metrics; }
    /// Hands over what was sampled since the last call.
    void decode(const UseSample& use);
    void stop();
    /// Samples were lost: decode() was not called in time.
    [[nodiscard]] bool hasOverflown() const { return m_hasOverflown; }

  private:
    void begin(std::size_t device);
    void readAvailability(std::size_t device);
    /// A new evaluator of these metrics, null where they cannot be sampled.
    [[nodiscard]] CUpti_Profiler_Host_Object* makeHost(const std::vector<const char*>& metrics);
    [[nodiscard]] bool isOnePass(CUpti_Profiler_Host_Object* host);
    void releaseHost(CUpti_Profiler_Host_Object* host);
    void configure();
    void useSamples(const UseSample& use);
    void check(CUptiResult result);
    void resetData();

    const PmApi* m_api;
    CUptiResult m_failure = CUPTI_SUCCESS; ///< the first
    std::vector<const char*> m_metrics;
    std::string m_chip;
    std::vector<std::uint8_t> m_availability, m_config, m_data;
    CUpti_Profiler_Host_Object* m_host = nullptr;
    CUpti_PmSampling_Object* m_sampling = nullptr;
    bool m_isSampling = false, m_hasOverflown = false, m_hasFirst = false;
};

} // namespace tacho
