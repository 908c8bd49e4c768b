// SPDX-License-Identifier: Apache-2.0
#include "collector/inject/cupti_api.h"

#include "collector/inject/cupti_names.h"
#include "collector/inject/cupti_versions.h"
#include "collector/inject/spool_format.h"
#include "collector/inject/symbol.h"

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>

namespace tacho {

namespace {

constexpr char kNone[] = "no CUPTI library was found: install the CUDA toolkit's CUPTI, or name its file in "
                         "TACHO_CUPTI; GPU activity is not recorded";

/// A sentence that lives for ever, as long as there is no next one. `format` takes one text.
const char* problemWith(const char* format, const char* text) noexcept {
    static constinit char sentence[512];
    std::snprintf(sentence, sizeof sentence, format, text ? text : "unknown");
    return sentence;
}

void* openChosen(const char* file, const char*& problem) noexcept {
    void* const library = dlopen(file, RTLD_LAZY | RTLD_LOCAL);
    if (!library)
        problem =
            problemWith("TACHO_CUPTI names no usable library (%s); GPU activity is not recorded", dlerror());
    return library;
}

void* search() noexcept {
    for (const char* name : kCuptiNames) // a second copy of CUPTI in one process would see nothing
        if (void* library = dlopen(name, RTLD_NOLOAD | RTLD_LAZY | RTLD_LOCAL))
            return library;
    for (const char* name : kCuptiNames)
        if (void* library = dlopen(name, RTLD_LAZY | RTLD_LOCAL))
            return library;
    char path[4096];
    const char* const home = std::getenv("CUDA_HOME");
    for (const char* name : kCuptiNames) {
        for (const char* folder : kCuptiFolders) {
            std::snprintf(path, sizeof path, "%s/%s", folder, name);
            if (void* library = dlopen(path, RTLD_LAZY | RTLD_LOCAL))
                return library;
        }
        if (home) {
            std::snprintf(path, sizeof path, "%s/%s/%s", home, kCuptiOfCudaHome, name);
            if (void* library = dlopen(path, RTLD_LAZY | RTLD_LOCAL))
                return library;
        }
    }
    return nullptr;
}

void* openLibrary(const char*& problem) noexcept {
    const char* const chosen = std::getenv(spool::kCuptiVariable);
    if (chosen && *chosen)
        return openChosen(chosen, problem);
    void* const library = search();
    if (!library)
        problem = kNone;
    return library;
}

const char* fileOf(const void* function) noexcept {
    Dl_info info{};
    return function && dladdr(function, &info) != 0 ? info.dli_fname : nullptr;
}

} // namespace

CuptiApi loadCupti() noexcept {
    CuptiApi api;
    void* const library = openLibrary(api.problem);
    if (!library)
        return api;
    const bool complete = look(library, "cuptiGetVersion", api.getVersion) &&
                          look(library, "cuptiSubscribe", api.subscribe) &&
                          look(library, "cuptiActivityRegisterCallbacks", api.registerCallbacks) &&
                          look(library, "cuptiActivityEnable", api.enable) &&
                          look(library, "cuptiActivityDisable", api.disable) &&
                          look(library, "cuptiActivityFlushAll", api.flushAll) &&
                          look(library, "cuptiActivityGetNextRecord", api.getNextRecord) &&
                          look(library, "cuptiActivityGetNumDroppedRecords", api.getNumDroppedRecords) &&
                          look(library, "cuptiGetCallbackName", api.getCallbackName) &&
                          look(library, "cuptiGetResultString", api.getResultString);
    look(library, "cuptiActivitySetAttribute", api.setAttribute);
    look(library, "cuptiSetThreadIdType", api.setThreadIdType);
    look(library, "cuptiActivityRegisterTimestampCallback", api.registerTimestampCallback);
    look(library, "cuptiEnableCallback", api.enableCallback);
    look(library, "cuptiEnableDomain", api.enableDomain);
    look(library, "cuptiFinalize", api.finalize);
    look(library, "cuptiGetDeviceId", api.getDeviceId);
    look(library, "cuptiSubscribe_v2", api.subscribeV2);
    look(library, "cuptiUnsubscribe", api.unsubscribe);
    api.file = fileOf(reinterpret_cast<const void*>(api.getVersion));
    const char* const shown = api.file ? api.file : std::getenv(spool::kCuptiVariable);
    if (!complete || api.getVersion(&api.version) != CUPTI_SUCCESS)
        api.problem =
            problemWith("the CUPTI library found (%s) lacks functions that tacho needs; GPU activity is "
                        "not recorded",
                        shown);
    else if (api.version < cupti_version::kCuda118)
        api.problem = problemWith("the CUPTI library found (%s) is older than CUDA 11.8; GPU activity is not "
                                  "recorded",
                                  shown);
    return api;
}

} // namespace tacho
