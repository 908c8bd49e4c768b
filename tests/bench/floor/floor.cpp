// SPDX-License-Identifier: Apache-2.0
// The least that recording with CUPTI can cost: an injected library that switches the same records on as
// tacho does, and throws the filled buffers away unread. See floor_options.h for what can be switched.
#include "collector/inject/buffer_pool.h"
#include "collector/inject/host_clock.h"
#include "tests/bench/floor/floor_options.h"
#include "tests/bench/floor/listed_calls.h"

#include <cstdio>
#include <cstdlib>
#include <cupti.h>

namespace {

using tacho::BufferPool;
using tacho::FloorOptions;

constinit BufferPool g_pool;

// A benchmark whose set-up is not what it says is worth nothing: so any refusal ends the process.
void check(CUptiResult result, const char* what) noexcept {
    if (result == CUPTI_SUCCESS)
        return;
    const char* text = "unknown error";
    cuptiGetResultString(result, &text);
    std::fprintf(stderr, "tacho_floor: %s: %s\n", what, text);
    std::_Exit(EXIT_FAILURE);
}

void bufferRequested(std::uint8_t** buffer, std::size_t* size, std::size_t* maxRecords) noexcept {
    *buffer = g_pool.take();
    *size = *buffer ? BufferPool::kBufferBytes : 0;
    *maxRecords = 0;
}

void bufferCompleted(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t, std::size_t) noexcept {
    if (buffer)
        g_pool.giveBack({buffer, 0}); // 0 bytes to be zeroed: nobody looks at what is in it
}

template <typename Value>
void setAttribute(CUpti_ActivityAttribute attribute, Value value, const char* what) noexcept {
    std::size_t size = sizeof value;
    check(cuptiActivitySetAttribute(attribute, &size, &value), what);
}

void setAttributes(const FloorOptions& options) noexcept {
    if (options.zeroedBuffers)
        setAttribute(CUPTI_ACTIVITY_ATTR_ZEROED_OUT_ACTIVITY_BUFFER, std::uint8_t{*options.zeroedBuffers},
                     "zeroed buffers");
    if (options.perThreadBuffers)
        setAttribute(CUPTI_ACTIVITY_ATTR_PER_THREAD_ACTIVITY_BUFFER, std::uint8_t{*options.perThreadBuffers},
                     "buffers per thread");
    if (options.pinnedDeviceBuffers)
        setAttribute(CUPTI_ACTIVITY_ATTR_MEM_ALLOCATION_TYPE_HOST_PINNED,
                     std::uint8_t{*options.pinnedDeviceBuffers}, "pinned device buffers");
    if (options.deviceBufferBytes)
        setAttribute(CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_SIZE, std::size_t{*options.deviceBufferBytes},
                     "size of device buffers");
    if (options.deviceBuffers)
        setAttribute(CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_PRE_ALLOCATE_VALUE,
                     std::size_t{*options.deviceBuffers}, "number of device buffers");
}

void setBehaviour(const FloorOptions& options) noexcept {
    if (options.subscribes) {
        CUpti_SubscriberHandle subscriber = nullptr;
        const auto ignore = [](void*, CUpti_CallbackDomain, CUpti_CallbackId, const void*) {};
        check(cuptiSubscribe(&subscriber, ignore, nullptr), "subscription");
    }
    if (options.ownClock)
        check(cuptiActivityRegisterTimestampCallback([] { return tacho::hostNowNs(); }), "own clock");
    if (options.systemThreadIds)
        check(cuptiSetThreadIdType(CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM), "system thread ids");
    if (options.allSyncRecords)
        check(cuptiActivityEnableAllSyncRecords(std::uint8_t{*options.allSyncRecords}), "all sync records");
    if (options.flushPeriodMs)
        check(cuptiActivityFlushPeriod(*options.flushPeriodMs), "flush period");
}

void enableApi(CUpti_ActivityKind kind, FloorOptions::Api api) noexcept {
    using Api = FloorOptions::Api;
    const bool runtime = kind == CUPTI_ACTIVITY_KIND_RUNTIME;
    if (api != Api::OnlyListed)
        check(cuptiActivityEnable(kind), "API kind");
    if (api == Api::Whole)
        return;
    const auto own = runtime ? CUPTI_CB_DOMAIN_RUNTIME_API : CUPTI_CB_DOMAIN_DRIVER_API;
    const auto enableOne = runtime ? cuptiActivityEnableRuntimeApi : cuptiActivityEnableDriverApi;
    tacho::forEachApiCall(
        [=](CUpti_CallbackDomain domain, CUpti_CallbackId id, const char* name, bool isListed) {
            if (domain == own && isListed == (api == Api::OnlyListed))
                check(enableOne(id, isListed ? 1 : 0), name);
        });
}

void enableKinds(const FloorOptions& options) noexcept {
    if (options.hasKind("kernel"))
        check(cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL), "kernels");
    if (options.hasKind("memcpy")) {
        check(cuptiActivityEnable(CUPTI_ACTIVITY_KIND_MEMCPY), "copies");
        check(cuptiActivityEnable(CUPTI_ACTIVITY_KIND_MEMCPY2), "copies between GPUs");
    }
    if (options.hasKind("memset"))
        check(cuptiActivityEnable(CUPTI_ACTIVITY_KIND_MEMSET), "sets");
    if (options.hasKind("sync"))
        check(cuptiActivityEnable(CUPTI_ACTIVITY_KIND_SYNCHRONIZATION), "synchronisations");
    if (options.hasKind("overhead"))
        check(cuptiActivityEnable(CUPTI_ACTIVITY_KIND_OVERHEAD), "overheads");
    if (options.hasKind("jit"))
        check(cuptiActivityEnable(CUPTI_ACTIVITY_KIND_JIT), "JIT");
    if (options.hasKind("memory"))
        check(cuptiActivityEnable(CUPTI_ACTIVITY_KIND_MEMORY2), "allocations");
    if (options.hasKind("runtime"))
        enableApi(CUPTI_ACTIVITY_KIND_RUNTIME, options.api);
    if (options.hasKind("driver"))
        enableApi(CUPTI_ACTIVITY_KIND_DRIVER, options.api);
}

} // namespace

/// Called by the CUDA driver (CUDA_INJECTION64_PATH) while it initialises.
extern "C" __attribute__((visibility("default"))) int InitializeInjection() {
    const FloorOptions options = FloorOptions::fromEnvironment();
    if (!g_pool.reserve())
        return 0;
    setAttributes(options);
    setBehaviour(options);
    check(cuptiActivityRegisterCallbacks(bufferRequested, bufferCompleted), "callbacks");
    enableKinds(options);
    return 1;
}
