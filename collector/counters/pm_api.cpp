// SPDX-License-Identifier: Apache-2.0
#include "collector/counters/pm_api.h"

#include "collector/inject/symbol.h"

#include <array>
#include <cstdlib>
#include <vector>

namespace tacho {

namespace {

void* openCupti(const std::optional<std::string>& file) {
    if (file)
        return dlopen(file->c_str(), RTLD_NOW | RTLD_LOCAL);
    std::vector<std::string> folders = {""}; // where the system's linker looks
    if (const char* home = std::getenv("CUDA_HOME"))
        folders.push_back(std::string(home) + "/extras/CUPTI/lib64/");
    folders.emplace_back("/usr/local/cuda/extras/CUPTI/lib64/");
    folders.emplace_back("/usr/local/cuda/lib64/");
    for (const std::string& folder : folders)
        for (const char* name : {"libcupti.so.13", "libcupti.so.12"})
            if (void* library = dlopen((folder + name).c_str(), RTLD_NOW | RTLD_LOCAL))
                return library;
    return nullptr;
}

bool lookUp(void* cupti, PmApi& api) {
    return look(cupti, "cuptiGetResultString", api.resultString) &&
           look(cupti, "cuptiActivityRegisterTimestampCallback", api.registerTimestampCallback) &&
           look(cupti, "cuptiProfilerInitialize", api.initialize) &&
           look(cupti, "cuptiDeviceGetChipName", api.chipName) &&
           look(cupti, "cuptiProfilerHostInitialize", api.hostInitialize) &&
           look(cupti, "cuptiProfilerHostDeinitialize", api.hostDeinitialize) &&
           look(cupti, "cuptiProfilerHostConfigAddMetrics", api.hostAddMetrics) &&
           look(cupti, "cuptiProfilerHostGetConfigImageSize", api.hostImageSize) &&
           look(cupti, "cuptiProfilerHostGetConfigImage", api.hostImage) &&
           look(cupti, "cuptiProfilerHostGetNumOfPasses", api.hostPasses) &&
           look(cupti, "cuptiProfilerHostEvaluateToGpuValues", api.hostEvaluate) &&
           look(cupti, "cuptiPmSamplingGetCounterAvailability", api.availability) &&
           look(cupti, "cuptiPmSamplingEnable", api.enable) &&
           look(cupti, "cuptiPmSamplingDisable", api.disable) &&
           look(cupti, "cuptiPmSamplingSetConfig", api.setConfig) &&
           look(cupti, "cuptiPmSamplingStart", api.start) && look(cupti, "cuptiPmSamplingStop", api.stop) &&
           look(cupti, "cuptiPmSamplingGetCounterDataSize", api.dataSize) &&
           look(cupti, "cuptiPmSamplingCounterDataImageInitialize", api.dataReset) &&
           look(cupti, "cuptiPmSamplingDecodeData", api.decode) &&
           look(cupti, "cuptiPmSamplingGetCounterDataInfo", api.dataInfo) &&
           look(cupti, "cuptiPmSamplingCounterDataGetSampleInfo", api.sampleInfo);
}

} // namespace

PmApi loadPmApi(std::uint64_t (*timestamp)(), const std::optional<std::string>& cuptiFile) {
    PmApi api;
    decltype(&::cuInit) init = nullptr;
    void* const driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    void* const cupti = openCupti(cuptiFile);
    if (!driver || !cupti)
        api.problem = driver ? "no CUPTI of CUDA 12 or 13 was found: name its file with --cupti"
                             : "the CUDA driver was not found";
    else if (!lookUp(cupti, api))
        api.problem = "the CUPTI library found has no PM sampling; it came with CUDA 12.6";
    else if (!look(driver, "cuInit", init) || !look(driver, "cuDeviceGetCount", api.deviceCount) ||
             !look(driver, "cuDeviceGetUuid_v2", api.deviceUuid) ||
             api.registerTimestampCallback(timestamp) != CUPTI_SUCCESS || init(0) != CUDA_SUCCESS)
        api.problem = "CUDA cannot be initialised";
    return api;
}

} // namespace tacho
