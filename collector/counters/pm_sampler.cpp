// SPDX-License-Identifier: Apache-2.0
#include "collector/counters/pm_sampler.h"

#include "collector/inject/host_clock.h"

#include "collector/counters/make_pm_sampler.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace tacho {

namespace {

struct Metric {
    const char* cupti;
    const char* name; ///< Nsight Systems' where it has the same counter
};
constexpr std::array<Metric, 8> kMetrics = {{
    {"sm__cycles_active.avg.pct_of_peak_sustained_elapsed", "SMs Active [Throughput %]"},
    {"sm__pipe_tensor_cycles_active_realtime.avg.pct_of_peak_sustained_elapsed",
     "Tensor Active [Throughput %]"},
    {"dram__read_throughput.avg.pct_of_peak_sustained_elapsed", "DRAM Read Bandwidth [Throughput %]"},
    {"dram__write_throughput.avg.pct_of_peak_sustained_elapsed", "DRAM Write Bandwidth [Throughput %]"},
    {"pcie__read_bytes.sum.per_second", "PCIe RX [bytes/s]"},
    {"pcie__write_bytes.sum.per_second", "PCIe TX [bytes/s]"},
    {"nvlrx__bytes.sum.per_second", "NVLink RX [bytes/s]"},
    {"nvltx__bytes.sum.per_second", "NVLink TX [bytes/s]"},
}};

const char* nameOf(std::string_view metric) {
    return std::find_if(kMetrics.begin(), kMetrics.end(),
                        [&](const Metric& known) { return known.cupti == metric; })
        ->name;
}

// After so many the values become means of twice as many samples. So the first half minute has a value per
// millisecond, and an hour only eight times as many values as that.
constexpr std::uint64_t kValuesPerMean = 30'000;

std::string uuidText(const CUuuid& uuid) {
    std::string text = "GPU-";
    for (std::size_t i = 0; i < sizeof uuid.bytes; ++i) {
        const bool hasDash = i == 4 || i == 6 || i == 8 || i == 10;
        text += fmt::format("{}{:02x}", hasDash ? "-" : "", static_cast<unsigned char>(uuid.bytes[i]));
    }
    return text;
}

} // namespace

std::unique_ptr<GpuSampler> makePmSampler(CounterLog& log, const std::optional<std::string>& cupti) {
    return std::make_unique<PmSampler>(log, [cupti] { return loadPmApi(hostNowNs, cupti); });
}

std::optional<std::size_t> PmSampler::deviceOf(const std::string& uuid) const {
    int count = 0;
    if (m_api->deviceCount(&count) != CUDA_SUCCESS)
        return std::nullopt;
    for (int device = 0; device < count; ++device)
        if (CUuuid of{}; m_api->deviceUuid(&of, device) == CUDA_SUCCESS && uuidText(of) == uuid)
            return static_cast<std::size_t>(device);
    return std::nullopt;
}

void PmSampler::watch(const WatchedGpu& gpu) {
    if (!m_api)
        m_api = m_load();
    if (!m_api->problem.empty())
        return noteFailure(gpu.uuid, m_api->problem);
    auto initialize = CUpti_Profiler_Initialize_Params{};
    initialize.structSize = CUpti_Profiler_Initialize_Params_STRUCT_SIZE;
    if (const CUptiResult result = m_api->initialize(&initialize); result != CUPTI_SUCCESS)
        return noteFailure(gpu.uuid, result);
    const auto device = deviceOf(gpu.uuid);
    if (!device)
        return noteFailure(gpu.uuid, "CUDA does not show this GPU to the recorder");
    std::vector<const char*> metrics(kMetrics.size());
    std::transform(kMetrics.begin(), kMetrics.end(), metrics.begin(),
                   [](const Metric& metric) { return metric.cupti; });
    auto watched = std::make_unique<Gpu>();
    watched->session = std::make_unique<PmSession>(*m_api, *device, metrics);
    if (watched->session->failure() != CUPTI_SUCCESS)
        return noteFailure(gpu.uuid, watched->session->failure());
    watched->name = gpu.uuid;
    watched->uuid = m_log->idOf(gpu.uuid);
    for (const char* metric : watched->session->metrics())
        watched->counters.push_back(m_log->idOf(nameOf(metric)));
    watched->sums.resize(watched->counters.size());
    noteLeftOut(*watched);
    m_gpus.push_back(std::move(watched));
}

void PmSampler::noteFailure(const std::string& gpu, CUptiResult why) {
    const char* text = nullptr;
    if (why == CUPTI_ERROR_INSUFFICIENT_PRIVILEGES)
        noteFailure(gpu, "the driver lets only administrators read counters: run as root, or have it loaded "
                         "with NVreg_RestrictProfilingToAdminUsers=0");
    else if (why == CUPTI_ERROR_HARDWARE_BUSY)
        noteFailure(gpu, "another tool is reading them: stop it (DCGM: dcgmi profile --pause)");
    else
        noteFailure(gpu, m_api->resultString(why, &text) == CUPTI_SUCCESS && text ? text : "unknown error");
}

void PmSampler::noteFailure(const std::string& gpu, const std::string& why) {
    m_log->addProblem(spool::Severity::Warning, "no_counters",
                      fmt::format("GPU counters of {} are not recorded: {}", gpu, why));
}

void PmSampler::noteLeftOut(const Gpu& gpu) {
    std::string missing;
    for (const Metric& metric : kMetrics) {
        const auto& has = gpu.session->metrics();
        if (std::find(has.begin(), has.end(), metric.cupti) == has.end())
            missing += (missing.empty() ? "" : ", ") + std::string(metric.name);
    }
    if (!missing.empty())
        m_log->addProblem(spool::Severity::Info, "counters_left_out",
                          fmt::format("{} does not have these counters: {}", gpu.name, missing));
}

void PmSampler::sample(std::int64_t /*nowNs*/) {
    for (const auto& gpu : m_gpus)
        decode(*gpu);
}

void PmSampler::decode(Gpu& gpu) {
    gpu.session->decode(
        [&](std::uint64_t endNs, const std::vector<double>& values) { addSample(gpu, endNs, values); });
    if (gpu.session->hasOverflown())
        m_log->addProblem(spool::Severity::DataLoss, "counters_lost",
                          "samples of GPU counters were lost: they were not read in time");
    if (gpu.session->failure() == CUPTI_SUCCESS || gpu.isFailureNoted)
        return;
    gpu.isFailureNoted = true;
    noteFailure(gpu.name, gpu.session->failure());
}

void PmSampler::addSample(Gpu& gpu, std::uint64_t endNs, const std::vector<double>& values) {
    for (std::size_t i = 0; i < values.size(); ++i)
        gpu.sums[i] += values[i];
    if (++gpu.summed < gpu.perValue)
        return;
    for (std::size_t i = 0; i < values.size(); ++i)
        m_log->add(gpu.uuid, gpu.counters[i], static_cast<std::int64_t>(endNs),
                   gpu.sums[i] / static_cast<double>(gpu.summed));
    std::fill(gpu.sums.begin(), gpu.sums.end(), 0.0);
    gpu.summed = 0;
    if (++gpu.written % kValuesPerMean == 0)
        gpu.perValue *= 2;
}

void PmSampler::finish() {
    for (const auto& gpu : m_gpus) {
        gpu->session->stop();
        decode(*gpu);
        if (gpu->written == 0 && !gpu->isFailureNoted)
            noteFailure(gpu->name, "CUPTI took the counters, but gave no samples");
    }
    m_gpus.clear();
}

} // namespace tacho
