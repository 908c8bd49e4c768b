// SPDX-License-Identifier: Apache-2.0
#include "collector/counters/pm_session.h"

namespace tacho {

namespace {

// A millisecond shows the phases of a step, and costs the training nothing that could be measured.
constexpr std::uint64_t kIntervalNs = 1'000'000;
// About as long, for the GPUs that know no other trigger (Turing, GA100).
constexpr std::uint64_t kIntervalClocks = 1'400'000;
constexpr std::size_t kHardwareBufferBytes = 64 << 20; // of over 12000 samples
constexpr std::uint32_t kSamplesPerDecode = 256;       // some 20 kB each

/// CUPTI's way to tell versions of its structs apart.
template <class Params>
Params sized(std::size_t bytes) {
    Params params{};
    params.structSize = bytes;
    return params;
}

} // namespace

PmSession::PmSession(const PmApi& api, std::size_t device, const std::vector<const char*>& metrics)
    : m_api(&api) {
    readAvailability(device);
    if (m_failure != CUPTI_SUCCESS)
        return;
    for (const char* metric : metrics) { // CUPTI refuses all for one that the GPU lacks
        m_metrics.push_back(metric);
        CUpti_Profiler_Host_Object* const host = makeHost(m_metrics);
        if (!host)
            m_metrics.pop_back();
        releaseHost(host);
    }
    if (!m_metrics.empty())
        begin(device);
}

PmSession::~PmSession() {
    stop();
    if (m_sampling) {
        auto params = sized<CUpti_PmSampling_Disable_Params>(CUpti_PmSampling_Disable_Params_STRUCT_SIZE);
        params.pPmSamplingObject = m_sampling;
        m_api->disable(&params);
    }
    releaseHost(m_host);
}

void PmSession::check(CUptiResult result) {
    if (m_failure == CUPTI_SUCCESS)
        m_failure = result;
}

void PmSession::readAvailability(std::size_t device) {
    auto chip = sized<CUpti_Device_GetChipName_Params>(CUpti_Device_GetChipName_Params_STRUCT_SIZE);
    chip.deviceIndex = device;
    check(m_api->chipName(&chip));
    auto params = sized<CUpti_PmSampling_GetCounterAvailability_Params>(
        CUpti_PmSampling_GetCounterAvailability_Params_STRUCT_SIZE);
    params.deviceIndex = device;
    if (m_failure == CUPTI_SUCCESS)
        check(m_api->availability(&params));
    if (m_failure != CUPTI_SUCCESS)
        return;
    m_chip = chip.pChipName;
    m_availability.resize(params.counterAvailabilityImageSize);
    params.pCounterAvailabilityImage = m_availability.data();
    check(m_api->availability(&params));
}

// Without the availability image CUPTI takes counters that the GPU lacks (NVLink without links), and then not
// one sample is ever complete (docs/decisions/0003-gpu-counters.md).
CUpti_Profiler_Host_Object* PmSession::makeHost(const std::vector<const char*>& metrics) {
    auto params =
        sized<CUpti_Profiler_Host_Initialize_Params>(CUpti_Profiler_Host_Initialize_Params_STRUCT_SIZE);
    params.profilerType = CUPTI_PROFILER_TYPE_PM_SAMPLING;
    params.pChipName = m_chip.c_str();
    params.pCounterAvailabilityImage = m_availability.data();
    if (m_api->hostInitialize(&params) != CUPTI_SUCCESS)
        return nullptr;
    auto add = sized<CUpti_Profiler_Host_ConfigAddMetrics_Params>(
        CUpti_Profiler_Host_ConfigAddMetrics_Params_STRUCT_SIZE);
    add.pHostObject = params.pHostObject;
    add.ppMetricNames = const_cast<const char**>(metrics.data());
    add.numMetrics = metrics.size();
    if (m_api->hostAddMetrics(&add) == CUPTI_SUCCESS && isOnePass(params.pHostObject))
        return params.pHostObject;
    releaseHost(params.pHostObject);
    return nullptr;
}

bool PmSession::isOnePass(CUpti_Profiler_Host_Object* host) {
    auto size = sized<CUpti_Profiler_Host_GetConfigImageSize_Params>(
        CUpti_Profiler_Host_GetConfigImageSize_Params_STRUCT_SIZE);
    size.pHostObject = host;
    if (m_api->hostImageSize(&size) != CUPTI_SUCCESS)
        return false;
    m_config.resize(size.configImageSize);
    auto image = sized<CUpti_Profiler_Host_GetConfigImage_Params>(
        CUpti_Profiler_Host_GetConfigImage_Params_STRUCT_SIZE);
    image.pHostObject = host;
    image.configImageSize = m_config.size();
    image.pConfigImage = m_config.data();
    auto passes = sized<CUpti_Profiler_Host_GetNumOfPasses_Params>(
        CUpti_Profiler_Host_GetNumOfPasses_Params_STRUCT_SIZE);
    passes.configImageSize = m_config.size();
    passes.pConfigImage = m_config.data();
    return m_api->hostImage(&image) == CUPTI_SUCCESS && m_api->hostPasses(&passes) == CUPTI_SUCCESS &&
           passes.numOfPasses == 1;
}

void PmSession::releaseHost(CUpti_Profiler_Host_Object* host) {
    auto params =
        sized<CUpti_Profiler_Host_Deinitialize_Params>(CUpti_Profiler_Host_Deinitialize_Params_STRUCT_SIZE);
    params.pHostObject = host;
    if (host)
        m_api->hostDeinitialize(&params);
}

void PmSession::begin(std::size_t device) {
    m_host = makeHost(m_metrics); // m_config is of it again
    auto params = sized<CUpti_PmSampling_Enable_Params>(CUpti_PmSampling_Enable_Params_STRUCT_SIZE);
    params.deviceIndex = device;
    check(m_api->enable(&params));
    if (m_failure != CUPTI_SUCCESS)
        return;
    m_sampling = params.pPmSamplingObject;
    configure();
    if (m_failure != CUPTI_SUCCESS)
        return;
    auto start = sized<CUpti_PmSampling_Start_Params>(CUpti_PmSampling_Start_Params_STRUCT_SIZE);
    start.pPmSamplingObject = m_sampling;
    check(m_api->start(&start));
    m_isSampling = m_failure == CUPTI_SUCCESS;
}

void PmSession::configure() {
    auto config = sized<CUpti_PmSampling_SetConfig_Params>(CUpti_PmSampling_SetConfig_Params_STRUCT_SIZE);
    config.pPmSamplingObject = m_sampling;
    config.configSize = m_config.size();
    config.pConfig = m_config.data();
    config.hardwareBufferSize = kHardwareBufferBytes;
    config.samplingInterval = kIntervalNs;
    config.triggerMode = CUPTI_PM_SAMPLING_TRIGGER_MODE_GPU_TIME_INTERVAL;
    config.hwBufferAppendMode = CUPTI_PM_SAMPLING_HARDWARE_BUFFER_APPEND_MODE_KEEP_OLDEST;
    CUptiResult result = m_api->setConfig(&config);
    if (result != CUPTI_SUCCESS) {
        config.samplingInterval = kIntervalClocks;
        config.triggerMode = CUPTI_PM_SAMPLING_TRIGGER_MODE_GPU_SYSCLK_INTERVAL;
        if (m_api->setConfig(&config) == CUPTI_SUCCESS)
            result = CUPTI_SUCCESS;
    }
    check(result);
    auto size = sized<CUpti_PmSampling_GetCounterDataSize_Params>(
        CUpti_PmSampling_GetCounterDataSize_Params_STRUCT_SIZE);
    size.pPmSamplingObject = m_sampling;
    size.pMetricNames = m_metrics.data();
    size.numMetrics = m_metrics.size();
    size.maxSamples = kSamplesPerDecode;
    if (m_failure == CUPTI_SUCCESS)
        check(m_api->dataSize(&size));
    if (m_failure != CUPTI_SUCCESS)
        return;
    m_data.resize(size.counterDataSize);
    resetData();
}

void PmSession::resetData() {
    auto params = sized<CUpti_PmSampling_CounterDataImage_Initialize_Params>(
        CUpti_PmSampling_CounterDataImage_Initialize_Params_STRUCT_SIZE);
    params.pPmSamplingObject = m_sampling;
    params.counterDataSize = m_data.size();
    params.pCounterData = m_data.data();
    check(m_api->dataReset(&params));
}

void PmSession::decode(const UseSample& use) {
    auto params = sized<CUpti_PmSampling_DecodeData_Params>(CUpti_PmSampling_DecodeData_Params_STRUCT_SIZE);
    params.pPmSamplingObject = m_sampling;
    params.pCounterDataImage = m_data.data();
    params.counterDataImageSize = m_data.size();
    do {
        if (!m_sampling || m_failure != CUPTI_SUCCESS)
            return;
        check(m_api->decode(&params));
        m_hasOverflown = m_hasOverflown || params.overflow != 0;
        useSamples(use);
        resetData();
    } while (params.decodeStopReason == CUPTI_PM_SAMPLING_DECODE_STOP_REASON_COUNTER_DATA_FULL);
}

void PmSession::useSamples(const UseSample& use) {
    auto info = sized<CUpti_PmSampling_GetCounterDataInfo_Params>(
        CUpti_PmSampling_GetCounterDataInfo_Params_STRUCT_SIZE);
    info.pCounterDataImage = m_data.data();
    info.counterDataImageSize = m_data.size();
    check(m_api->dataInfo(&info));
    std::vector<double> values(m_metrics.size());
    for (std::size_t index = 0; index < info.numCompletedSamples && m_failure == CUPTI_SUCCESS; ++index) {
        auto sample = sized<CUpti_PmSampling_CounterData_GetSampleInfo_Params>(
            CUpti_PmSampling_CounterData_GetSampleInfo_Params_STRUCT_SIZE);
        sample.pPmSamplingObject = m_sampling;
        sample.pCounterDataImage = m_data.data();
        sample.counterDataImageSize = m_data.size();
        sample.sampleIndex = index;
        check(m_api->sampleInfo(&sample));
        auto evaluate = sized<CUpti_Profiler_Host_EvaluateToGpuValues_Params>(
            CUpti_Profiler_Host_EvaluateToGpuValues_Params_STRUCT_SIZE);
        evaluate.pHostObject = m_host;
        evaluate.pCounterDataImage = m_data.data();
        evaluate.counterDataImageSize = m_data.size();
        evaluate.rangeIndex = index;
        evaluate.ppMetricNames = m_metrics.data();
        evaluate.numMetrics = m_metrics.size();
        evaluate.pMetricValues = values.data();
        check(m_api->hostEvaluate(&evaluate));
        // The first sample reaches back to whoever sampled this GPU before.
        if (m_failure == CUPTI_SUCCESS && m_hasFirst)
            use(sample.endTimestamp, values);
        m_hasFirst = true;
    }
}

void PmSession::stop() {
    auto params = sized<CUpti_PmSampling_Stop_Params>(CUpti_PmSampling_Stop_Params_STRUCT_SIZE);
    params.pPmSamplingObject = m_sampling;
    if (m_isSampling)
        m_api->stop(&params);
    m_isSampling = false;
}

} // namespace tacho
