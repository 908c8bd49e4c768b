// SPDX-License-Identifier: Apache-2.0
#include "collector/inject/api_allow_list.h"

#include <cstring>

namespace tacho {

namespace {

// Prefixes: one entry stands for all variants (Async, 2D, Peer, _ptsz) and versions of a call.
constexpr const char* kRuntime[] = {
    "cudaLaunchKernel",
    "cudaLaunchCooperativeKernel",
    "cudaLaunchHostFunc",
    "cudaLaunch_",
    "cudaGraphLaunch",
    "cudaGraphInstantiate",
    "cudaMemcpy",
    "cudaMemset",
    "cudaStreamSynchronize",
    "cudaDeviceSynchronize",
    "cudaThreadSynchronize",
    "cudaEventSynchronize",
    "cudaStreamWaitEvent",
    "cudaMalloc",
    "cudaFree",
    "cudaHostAlloc",
    "cudaHostRegister",
    "cudaHostUnregister",
};

// The runtime is recorded too, so the driver's own names are needed only for those who call it directly.
constexpr const char* kDriver[] = {
    "cuLaunchKernel",   "cuLaunchCooperativeKernel",
    "cuGraphLaunch",    "cuMemcpy",
    "cuMemset",         "cuStreamSynchronize",
    "cuCtxSynchronize", "cuEventSynchronize",
    "cuMemAlloc",       "cuMemFree",
    "cuMemCreate",      "cuMemMap",
};

constexpr const char* kCodeLoads[] = {"cudaLibraryLoad", "cuLibraryLoad", "cuModuleLoad", "cuLinkComplete"};

template <std::size_t count>
bool startsWithAny(const char* name, const char* const (&prefixes)[count]) noexcept {
    for (const char* prefix : prefixes)
        if (std::strncmp(name, prefix, std::strlen(prefix)) == 0)
            return true;
    return false;
}

} // namespace

bool isRuntimeApiRecorded(const char* name) noexcept {
    return startsWithAny(name, kRuntime);
}

bool isDriverApiRecorded(const char* name) noexcept {
    return startsWithAny(name, kDriver);
}

bool isCodeLoad(const char* name) noexcept {
    return startsWithAny(name, kCodeLoads);
}

} // namespace tacho
