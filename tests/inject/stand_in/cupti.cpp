// SPDX-License-Identifier: Apache-2.0
// A libcupti.so whose GPU is launch(): the records of its kernels go through the real callbacks of a real
// process.
#include "stand_in/cuda.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <cupti.h>
#include <dlfcn.h>
#include <mutex>
#include <unistd.h>
#include <utility>

namespace {

// As CUPTI's own: state of the process, guarded by a lock, which a forked child may inherit locked.
std::mutex g_mutex;
CUpti_BuffersCallbackRequestFunc g_request = nullptr;
CUpti_BuffersCallbackCompleteFunc g_complete = nullptr;
bool g_kernels = false;
bool g_contexts = false;
bool g_hasContext = false;
std::atomic<bool> g_allCalls{false}; // somebody wants to know of every call
std::atomic<bool> g_calls{false};    // somebody wants to know of cudaLaunchKernel
CUpti_CallbackFunc g_subscriber = nullptr;
void* g_subscriberData = nullptr;
std::uint8_t* g_buffer = nullptr;
std::size_t g_size = 0;
std::size_t g_used = 0;
std::size_t g_dropped = 0;
std::uint32_t g_lastCorrelation = 0;
const char* g_otherSubscriber = nullptr;

std::uint64_t nowNs() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000U + static_cast<std::uint64_t>(now.tv_nsec);
}

void completeBuffer() {
    if (g_buffer)
        g_complete(nullptr, 0, std::exchange(g_buffer, nullptr), g_size, std::exchange(g_used, 0));
}

/// All records take the room of the largest one.
constexpr std::size_t kRecordBytes = sizeof(CUpti_ActivityKernel10);

template <typename Record>
void deliver(const Record& record) {
    static_assert(sizeof record <= kRecordBytes);
    if (g_buffer && g_used + kRecordBytes > g_size)
        completeBuffer();
    std::size_t maxRecords = 0;
    if (!g_buffer)
        g_request(&g_buffer, &g_size, &maxRecords);
    if (!g_buffer) {
        ++g_dropped;
        return;
    }
    std::memcpy(g_buffer + g_used, &record, sizeof record);
    g_used += kRecordBytes;
}

void set(CUpti_ActivityKind kind, bool on) {
    const std::lock_guard lock(g_mutex);
    if (kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL)
        g_kernels = on;
    if (kind == CUPTI_ACTIVITY_KIND_CONTEXT)
        g_contexts = on;
}

constexpr CUpti_CallbackId kLaunchKernel = CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000;

/// Tells the subscriber where a call of the training begins and ends.
void tell(CUpti_CallbackData& call, CUpti_ApiCallbackSite site) {
    call.callbackSite = site;
    if ((g_calls || g_allCalls) && g_subscriber)
        g_subscriber(g_subscriberData, CUPTI_CB_DOMAIN_RUNTIME_API, kLaunchKernel, &call);
}

} // namespace

bool initCuda() {
    const char* const path = std::getenv("CUDA_INJECTION64_PATH");
    void* const library = path ? dlopen(path, RTLD_NOW) : nullptr;
    auto* const entry =
        library ? reinterpret_cast<int (*)()>(dlsym(library, "InitializeInjection")) : nullptr;
    return entry && entry() != 0;
}

void subscribeOther(const char* name) {
    g_otherSubscriber = name;
}

void launch(const char* name) {
    const std::lock_guard lock(g_mutex);
    std::uint64_t betweenEnterAndExit = 0;
    int result = 0;
    CUpti_CallbackData call{};
    call.correlationId = ++g_lastCorrelation;
    call.correlationData = &betweenEnterAndExit;
    call.functionReturnValue = &result;
    tell(call, CUPTI_API_ENTER);
    if (g_contexts && !std::exchange(g_hasContext, true)) {
        CUpti_ActivityContext3 context{};
        context.kind = CUPTI_ACTIVITY_KIND_CONTEXT;
        context.contextId = 1;
        deliver(context);
    }
    CUpti_ActivityKernel10 kernel{};
    kernel.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
    kernel.name = name;
    kernel.start = nowNs();
    kernel.end = kernel.start + 1000;
    kernel.gridX = kernel.gridY = kernel.gridZ = kernel.blockX = kernel.blockY = kernel.blockZ = 1;
    kernel.contextId = 1;
    kernel.streamId = 7;
    kernel.correlationId = call.correlationId;
    if (g_kernels)
        deliver(kernel);
    tell(call, CUPTI_API_EXIT);
}

#pragma GCC visibility push(default)
extern "C" {

CUptiResult cuptiGetVersion(std::uint32_t* version) {
    *version = CUPTI_API_VERSION;
    return CUPTI_SUCCESS;
}

CUptiResult cuptiSubscribe(CUpti_SubscriberHandle*, CUpti_CallbackFunc callback, void* data) {
    g_subscriber = callback;
    g_subscriberData = data;
    return g_otherSubscriber ? CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED : CUPTI_SUCCESS;
}

CUptiResult cuptiSubscribe_v2(CUpti_SubscriberHandle*, CUpti_CallbackFunc, void*,
                              CUpti_SubscriberParams* params) {
    if (!g_otherSubscriber)
        return CUPTI_SUCCESS;
    std::snprintf(params->oldSubscriberName, params->oldSubscriberSize, "CUPTI for %s", g_otherSubscriber);
    return CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
}

CUptiResult cuptiUnsubscribe(CUpti_SubscriberHandle) {
    return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityRegisterCallbacks(CUpti_BuffersCallbackRequestFunc request,
                                           CUpti_BuffersCallbackCompleteFunc complete) {
    const std::lock_guard lock(g_mutex);
    g_request = request;
    g_complete = complete;
    return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityEnable(CUpti_ActivityKind kind) {
    set(kind, true);
    return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityDisable(CUpti_ActivityKind kind) {
    set(kind, false);
    return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityFlushAll(std::uint32_t) {
    const std::lock_guard lock(g_mutex);
    completeBuffer();
    return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityGetNextRecord(std::uint8_t* buffer, std::size_t valid, CUpti_Activity** record) {
    std::uint8_t* const next = *record ? reinterpret_cast<std::uint8_t*>(*record) + kRecordBytes : buffer;
    if (next >= buffer + valid)
        return CUPTI_ERROR_MAX_LIMIT_REACHED;
    *record = reinterpret_cast<CUpti_Activity*>(next);
    return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityGetNumDroppedRecords(CUcontext, std::uint32_t, std::size_t* dropped) {
    const std::lock_guard lock(g_mutex);
    *dropped = std::exchange(g_dropped, 0);
    return CUPTI_SUCCESS;
}

CUptiResult cuptiGetCallbackName(CUpti_CallbackDomain domain, std::uint32_t id, const char** name) {
    if (domain != CUPTI_CB_DOMAIN_RUNTIME_API || id > kLaunchKernel)
        return CUPTI_ERROR_INVALID_PARAMETER;
    *name = id == kLaunchKernel ? "cudaLaunchKernel_v7000" : "cudaGetDevice_v3020";
    return CUPTI_SUCCESS;
}

CUptiResult cuptiEnableCallback(std::uint32_t enable, CUpti_SubscriberHandle, CUpti_CallbackDomain domain,
                                CUpti_CallbackId id) {
    if (domain == CUPTI_CB_DOMAIN_RUNTIME_API && id == kLaunchKernel)
        g_calls = enable != 0;
    return CUPTI_SUCCESS;
}

CUptiResult cuptiEnableDomain(std::uint32_t enable, CUpti_SubscriberHandle, CUpti_CallbackDomain) {
    g_allCalls = enable != 0;
    if (!enable)
        g_calls = false;
    return CUPTI_SUCCESS;
}

// Called where a call returns: the lock is held.
CUptiResult cuptiFinalize() {
    g_kernels = g_calls = g_allCalls = false;
    g_subscriber = nullptr;
    g_lastCorrelation = 0; // as the real one
    return CUPTI_SUCCESS;
}

CUptiResult cuptiGetResultString(CUptiResult, const char** text) {
    *text = "CUPTI_ERROR_STAND_IN";
    return CUPTI_SUCCESS;
}
}
#pragma GCC visibility pop
