// SPDX-License-Identifier: Apache-2.0
// The functions of CUPTI's PM sampling and of the CUDA driver that it needs, looked up at run time.
#pragma once

#include <cuda.h>
#include <cupti.h>
#include <cupti_pmsampling.h>
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_target.h>
#include <optional>
#include <string>

namespace tacho {

/// The libraries of this process. Where `problem` is empty all functions are there and CUDA is initialised,
/// without which CUPTI crashes.
struct PmApi {
    std::string problem; ///< why counters cannot be sampled

    decltype(&::cuDeviceGetCount) deviceCount = nullptr;
    decltype(&::cuDeviceGetUuid) deviceUuid = nullptr; ///< a CUdevice is the device's number

    decltype(&::cuptiGetResultString) resultString = nullptr;
    decltype(&::cuptiActivityRegisterTimestampCallback) registerTimestampCallback = nullptr;
    decltype(&::cuptiProfilerInitialize) initialize = nullptr;
    decltype(&::cuptiDeviceGetChipName) chipName = nullptr;
    decltype(&::cuptiProfilerHostInitialize) hostInitialize = nullptr;
    decltype(&::cuptiProfilerHostDeinitialize) hostDeinitialize = nullptr;
    decltype(&::cuptiProfilerHostConfigAddMetrics) hostAddMetrics = nullptr;
    decltype(&::cuptiProfilerHostGetConfigImageSize) hostImageSize = nullptr;
    decltype(&::cuptiProfilerHostGetConfigImage) hostImage = nullptr;
    decltype(&::cuptiProfilerHostGetNumOfPasses) hostPasses = nullptr;
    decltype(&::cuptiProfilerHostEvaluateToGpuValues) hostEvaluate = nullptr;
    decltype(&::cuptiPmSamplingGetCounterAvailability) availability = nullptr;
    decltype(&::cuptiPmSamplingEnable) enable = nullptr;
    decltype(&::cuptiPmSamplingDisable) disable = nullptr;
    decltype(&::cuptiPmSamplingSetConfig) setConfig = nullptr;
    decltype(&::cuptiPmSamplingStart) start = nullptr;
    decltype(&::cuptiPmSamplingStop) stop = nullptr;
    decltype(&::cuptiPmSamplingGetCounterDataSize) dataSize = nullptr;
    decltype(&::cuptiPmSamplingCounterDataImageInitialize) dataReset = nullptr;
    decltype(&::cuptiPmSamplingDecodeData) decode = nullptr;
    decltype(&::cuptiPmSamplingGetCounterDataInfo) dataInfo = nullptr;
    decltype(&::cuptiPmSamplingCounterDataGetSampleInfo) sampleInfo = nullptr;
};

/// Loads the driver and CUPTI. `timestamp` becomes the clock of the samples. `cupti` absent: that of CUDA 12
/// or 13 is searched.
[[nodiscard]] PmApi loadPmApi(std::uint64_t (*timestamp)(), const std::optional<std::string>& cupti);

} // namespace tacho
