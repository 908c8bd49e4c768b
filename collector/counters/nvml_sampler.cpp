// SPDX-License-Identifier: Apache-2.0
#include "collector/counters/nvml_sampler.h"

#include <fmt/format.h>

namespace tacho {

namespace {

struct Reading {
    const char* name;
    nvml::Result (*read)(const nvml::Api&, nvml::Device*, double& value);
};

constexpr std::array<Reading, NvmlSampler::kReadingCount> kReadings = {{
    {"Memory Used [bytes]",
     [](const nvml::Api& api, nvml::Device* device, double& value) {
         nvml::Memory memory{};
         memory.version = nvml::kMemoryVersion;
         const nvml::Result result = api.memoryInfo(device, &memory);
         value = static_cast<double>(memory.used);
         return result;
     }},
    {"SM Clock [MHz]",
     [](const nvml::Api& api, nvml::Device* device, double& value) {
         unsigned mhz = 0;
         const nvml::Result result = api.clockInfo(device, nvml::kSmClock, &mhz);
         value = mhz;
         return result;
     }},
    {"Throttle Reasons [mask]",
     [](const nvml::Api& api, nvml::Device* device, double& value) {
         unsigned long long mask = 0;
         const nvml::Result result = api.throttleReasons(device, &mask);
         value = static_cast<double>(mask);
         return result;
     }},
    {"Power [mW]",
     [](const nvml::Api& api, nvml::Device* device, double& value) {
         unsigned milliwatts = 0;
         const nvml::Result result = api.powerUsage(device, &milliwatts);
         value = milliwatts;
         return result;
     }},
}};

} // namespace

void NvmlSampler::watch(const WatchedGpu& gpu) {
    if (!m_api)
        m_api = m_load();
    if (m_api->problem)
        return noteFailure(gpu, m_api->problem);
    nvml::Device* device = nullptr;
    nvml::Result result = m_api->deviceByUuid(gpu.uuid.c_str(), &device);
    // CUDA's id of a slice of a GPU (MIG) is unknown to NVML in this form: then its whole GPU is sampled.
    if (result != nvml::kSuccess)
        result = m_api->deviceByBusId(gpu.busLocation.c_str(), &device);
    if (result != nvml::kSuccess)
        return noteFailure(gpu, m_api->errorString(result));
    m_gpus.push_back({device, m_log->idOf(gpu.uuid), {}});
}

void NvmlSampler::noteFailure(const WatchedGpu& gpu, const char* why) {
    m_log->addProblem(spool::Severity::Info, "no_nvml",
                      fmt::format("memory, clock and power of {} are not recorded: NVML: {}", gpu.uuid, why));
}

void NvmlSampler::sample(std::int64_t nowNs) {
    std::string missing;
    nvml::Result why = nvml::kSuccess;
    for (Gpu& gpu : m_gpus) {
        for (std::size_t i = 0; i < kReadings.size(); ++i) {
            double value = 0;
            if (gpu.isMissing[i])
                continue;
            const nvml::Result result = kReadings[i].read(*m_api, gpu.device, value);
            if (result == nvml::kSuccess) {
                m_log->add(gpu.uuid, m_log->idOf(kReadings[i].name), nowNs, value);
                continue;
            }
            gpu.isMissing[i] = true; // also where it fails once: a lost GPU must not fill the log
            missing += (missing.empty() ? "" : ", ") + std::string(kReadings[i].name);
            why = result;
        }
    }
    if (!missing.empty())
        m_log->addProblem(
            spool::Severity::Info, "counters_missing",
            fmt::format("NVML does not tell of every GPU: {} ({})", missing, m_api->errorString(why)));
}

} // namespace tacho
