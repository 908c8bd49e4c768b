// SPDX-License-Identifier: Apache-2.0
#include "collector/counters/nvml_api.h"

#include "collector/inject/symbol.h"

namespace tacho::nvml {

Api load() {
    Api api;
    void* const library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        api.problem = "the driver's libnvidia-ml.so.1 was not found";
        return api;
    }
    const bool isComplete = look(library, "nvmlErrorString", api.errorString) &&
                            look(library, "nvmlInit_v2", api.init) &&
                            look(library, "nvmlDeviceGetHandleByUUID", api.deviceByUuid) &&
                            look(library, "nvmlDeviceGetHandleByPciBusId_v2", api.deviceByBusId) &&
                            look(library, "nvmlDeviceGetMemoryInfo_v2", api.memoryInfo) &&
                            look(library, "nvmlDeviceGetClockInfo", api.clockInfo) &&
                            look(library, "nvmlDeviceGetCurrentClocksThrottleReasons", api.throttleReasons) &&
                            look(library, "nvmlDeviceGetPowerUsage", api.powerUsage);
    if (!isComplete)
        api.problem = "the driver's libnvidia-ml.so.1 lacks functions that tacho needs";
    else if (const Result result = api.init(); result != kSuccess)
        api.problem = api.errorString(result);
    return api;
}

} // namespace tacho::nvml
