// SPDX-License-Identifier: Apache-2.0
// A table of functions that plays CUPTI's PM sampling.
#pragma once

#include "collector/counters/pm_api.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace tacho::test {

/// What the played GPU does; set by a test before, read by the functions.
struct PlayedGpu {
    std::set<std::string> lacking;      ///< metrics that it refuses
    std::vector<std::uint64_t> pending; ///< ends of the samples not decoded yet
    std::vector<std::uint64_t> decoded; ///< in the counter data
    std::size_t samplesPerDecode = 100; ///< room in the counter data
    bool isComplete = true;             ///< samples are ever complete
    bool hasTimeTrigger = true, hasOverflown = false;
    CUptiResult ofAvailability = CUPTI_SUCCESS, ofEnable = CUPTI_SUCCESS, ofDecode = CUPTI_SUCCESS;
    std::uint64_t interval = 0;       ///< as configured
    bool hadAvailability = true;      ///< every evaluator was made with the availability image
    int evaluators = 0, sessions = 0; ///< alive
};
inline PlayedGpu played;

/// A metric's value is the end of its sample. One GPU, of UUID "GPU-" and zeros.
inline PmApi fakePmApi() {
    PmApi api;
    api.deviceCount = [](int* count) {
        *count = 1;
        return CUDA_SUCCESS;
    };
    api.deviceUuid = [](CUuuid* uuid, CUdevice) {
        *uuid = {};
        return CUDA_SUCCESS;
    };
    api.resultString = [](CUptiResult, const char** text) {
        *text = "CUPTI_ERROR_PLAYED";
        return CUPTI_SUCCESS;
    };
    api.initialize = [](CUpti_Profiler_Initialize_Params*) { return CUPTI_SUCCESS; };
    api.chipName = [](CUpti_Device_GetChipName_Params* params) {
        params->pChipName = "GH100";
        return CUPTI_SUCCESS;
    };
    api.availability = [](CUpti_PmSampling_GetCounterAvailability_Params* params) {
        params->counterAvailabilityImageSize = 8;
        return played.ofAvailability;
    };
    api.hostInitialize = [](CUpti_Profiler_Host_Initialize_Params* params) {
        played.hadAvailability = played.hadAvailability && params->pCounterAvailabilityImage;
        params->pHostObject = reinterpret_cast<CUpti_Profiler_Host_Object*>(&played);
        ++played.evaluators;
        return CUPTI_SUCCESS;
    };
    api.hostDeinitialize = [](CUpti_Profiler_Host_Deinitialize_Params*) {
        --played.evaluators;
        return CUPTI_SUCCESS;
    };
    api.hostAddMetrics = [](CUpti_Profiler_Host_ConfigAddMetrics_Params* params) {
        return std::any_of(params->ppMetricNames, params->ppMetricNames + params->numMetrics,
                           [](const char* metric) { return played.lacking.contains(metric); })
                   ? CUPTI_ERROR_UNKNOWN
                   : CUPTI_SUCCESS;
    };
    api.hostImageSize = [](CUpti_Profiler_Host_GetConfigImageSize_Params* params) {
        params->configImageSize = 8;
        return CUPTI_SUCCESS;
    };
    api.hostImage = [](CUpti_Profiler_Host_GetConfigImage_Params*) { return CUPTI_SUCCESS; };
    api.hostPasses = [](CUpti_Profiler_Host_GetNumOfPasses_Params* params) {
        params->numOfPasses = 1;
        return CUPTI_SUCCESS;
    };
    api.enable = [](CUpti_PmSampling_Enable_Params* params) {
        params->pPmSamplingObject = reinterpret_cast<CUpti_PmSampling_Object*>(&played);
        played.sessions += played.ofEnable == CUPTI_SUCCESS ? 1 : 0;
        return played.ofEnable;
    };
    api.disable = [](CUpti_PmSampling_Disable_Params*) {
        --played.sessions;
        return CUPTI_SUCCESS;
    };
    api.setConfig = [](CUpti_PmSampling_SetConfig_Params* params) {
        if (params->triggerMode == CUPTI_PM_SAMPLING_TRIGGER_MODE_GPU_TIME_INTERVAL && !played.hasTimeTrigger)
            return CUPTI_ERROR_NOT_SUPPORTED;
        played.interval = params->samplingInterval;
        return CUPTI_SUCCESS;
    };
    api.dataSize = [](CUpti_PmSampling_GetCounterDataSize_Params* params) {
        params->counterDataSize = 8;
        return CUPTI_SUCCESS;
    };
    api.dataReset = [](CUpti_PmSampling_CounterDataImage_Initialize_Params*) {
        played.decoded.clear();
        return CUPTI_SUCCESS;
    };
    api.start = [](CUpti_PmSampling_Start_Params*) { return CUPTI_SUCCESS; };
    api.stop = [](CUpti_PmSampling_Stop_Params*) { return CUPTI_SUCCESS; };
    api.decode = [](CUpti_PmSampling_DecodeData_Params* params) {
        const std::size_t count = std::min(played.pending.size(), played.samplesPerDecode);
        const auto end = played.pending.begin() + static_cast<std::ptrdiff_t>(count);
        played.decoded.assign(played.pending.begin(), end);
        played.pending.erase(played.pending.begin(), end);
        params->overflow = played.hasOverflown ? 1 : 0;
        params->decodeStopReason = played.pending.empty()
                                       ? CUPTI_PM_SAMPLING_DECODE_STOP_REASON_END_OF_RECORDS
                                       : CUPTI_PM_SAMPLING_DECODE_STOP_REASON_COUNTER_DATA_FULL;
        return played.ofDecode;
    };
    api.dataInfo = [](CUpti_PmSampling_GetCounterDataInfo_Params* params) {
        params->numCompletedSamples = played.isComplete ? played.decoded.size() : 0;
        return CUPTI_SUCCESS;
    };
    api.sampleInfo = [](CUpti_PmSampling_CounterData_GetSampleInfo_Params* params) {
        params->endTimestamp = played.decoded.at(params->sampleIndex);
        return CUPTI_SUCCESS;
    };
    api.hostEvaluate = [](CUpti_Profiler_Host_EvaluateToGpuValues_Params* params) {
        std::fill_n(params->pMetricValues, params->numMetrics,
                    static_cast<double>(played.decoded.at(params->rangeIndex)));
        return CUPTI_SUCCESS;
    };
    return api;
}

} // namespace tacho::test
