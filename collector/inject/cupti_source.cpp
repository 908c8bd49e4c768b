// SPDX-License-Identifier: Apache-2.0
#include "collector/inject/cupti_source.h"

#include "collector/inject/api_allow_list.h"
#include "collector/inject/code_loads.h"
#include "collector/inject/host_clock.h"
#include "collector/inject/other_profiler.h"

#include <cstdlib>
#include <cstring>

namespace tacho {

namespace {

// Trivially destructible, and initialised by the compiler: nothing runs at load, exit or dlclose.
constinit CuptiSource g_source;

constexpr CUpti_ActivityKind kGpuKinds[] = {
    CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, // not KERNEL, which serialises kernels
    CUPTI_ACTIVITY_KIND_MEMCPY,
    CUPTI_ACTIVITY_KIND_MEMCPY2,
    CUPTI_ACTIVITY_KIND_MEMSET,
};

constexpr CUpti_ActivityKind kHostKinds[] = {
    CUPTI_ACTIVITY_KIND_SYNCHRONIZATION,
};

// What mostly happens while a training starts: few records, and needed although the window is closed then.
constexpr CUpti_ActivityKind kProcessKinds[] = {
    CUPTI_ACTIVITY_KIND_CONTEXT,
    CUPTI_ACTIVITY_KIND_OVERHEAD, // loading of modules and functions, too
    CUPTI_ACTIVITY_KIND_JIT,
    CUPTI_ACTIVITY_KIND_MEMORY2,
};

bool recordsWholeGraphs() noexcept {
    const char* const level = std::getenv(spool::kCudaGraphVariable);
    return level && std::strcmp(level, "graph") == 0;
}

bool isProfilerStart(CUpti_CallbackDomain domain, CUpti_CallbackId id) noexcept {
    return (domain == CUPTI_CB_DOMAIN_RUNTIME_API &&
            id == CUPTI_RUNTIME_TRACE_CBID_cudaProfilerStart_v4000) ||
           (domain == CUPTI_CB_DOMAIN_DRIVER_API && id == CUPTI_DRIVER_TRACE_CBID_cuProfilerStart);
}

bool isProfilerCall(CUpti_CallbackDomain domain, CUpti_CallbackId id) noexcept {
    return isProfilerStart(domain, id) ||
           (domain == CUPTI_CB_DOMAIN_RUNTIME_API && id == CUPTI_RUNTIME_TRACE_CBID_cudaProfilerStop_v4000) ||
           (domain == CUPTI_CB_DOMAIN_DRIVER_API && id == CUPTI_DRIVER_TRACE_CBID_cuProfilerStop);
}

std::uint64_t timestamp() noexcept {
    return hostNowNs();
}

} // namespace

CuptiSource& cuptiSource() noexcept {
    return g_source;
}

void CuptiSource::check(CUptiResult result) noexcept {
    if (result == CUPTI_SUCCESS || m_refusal)
        return;
    const char* text = nullptr;
    m_refusal = m_api.getResultString(result, &text) == CUPTI_SUCCESS && text ? text : "unknown CUPTI error";
}

const char* CuptiSource::attach(const CuptiApi& api, SpoolFile& file, Detail detail) noexcept {
    if (api.problem)
        return api.problem;
    m_api = api;
    m_refusal = nullptr;
    m_detail = detail;
    // Also tells us whether another profiler is here, and tells others of us.
    const CUptiResult result = m_api.subscribe(&m_subscriber, apiCalled, this);
    if (result == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED || result == CUPTI_ERROR_MAX_LIMIT_REACHED)
        return describeOther();
    check(result);
    if (m_refusal)
        return m_refusal;
    if (!m_pool.reserve())
        return "no memory for activity buffers; GPU activity is not recorded";
    m_decoder.reset(file, m_api);
    configure();
    check(m_api.registerCallbacks(bufferRequested, bufferCompleted));
    if (m_refusal)
        return m_refusal;
    for (const CUpti_ActivityKind kind : kProcessKinds)
        check(m_api.enable(kind));
    if (recordsWholeGraphs()) // only now: CUPTI 13.0 crashes the process if a graph exists already
        check(m_api.enable(CUPTI_ACTIVITY_KIND_GRAPH_TRACE));
    switchOnCodeLoadCallbacks(m_api, m_subscriber);
    m_attached.store(true, std::memory_order_release);
    return nullptr;
}

const char* CuptiSource::describeOther() noexcept {
    static constinit char text[512];
    describeOtherProfiler(m_api, "/proc/self/maps", text, sizeof text);
    return text;
}

void CuptiSource::configure() noexcept {
    if (m_api.registerTimestampCallback)
        check(m_api.registerTimestampCallback(timestamp));
    if (m_api.setThreadIdType)
        check(m_api.setThreadIdType(CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM));
    if (!m_api.setAttribute)
        return;
    // Our buffers are zero already: spares a memset in the training's threads. Refused by older versions: no
    // loss.
    std::uint8_t on = 1;
    std::size_t size = sizeof on;
    (void)m_api.setAttribute(CUPTI_ACTIVITY_ATTR_ZEROED_OUT_ACTIVITY_BUFFER, &size, &on);
    size = sizeof on;
    (void)m_api.setAttribute(CUPTI_ACTIVITY_ATTR_PER_THREAD_ACTIVITY_BUFFER, &size, &on);
}

// The whole kind on, then all calls off that are not on the list. Switching single calls on would say the
// same, but once a context exists CUPTI 13.0 then delivers no record at all
// (docs/decisions/0001-api-records.md).
void CuptiSource::switchApiCalls(bool on) noexcept {
    for (const CUpti_ActivityKind kind : {CUPTI_ACTIVITY_KIND_RUNTIME, CUPTI_ACTIVITY_KIND_DRIVER})
        check(on ? m_api.enable(kind) : m_api.disable(kind));
    if (!on || !m_api.enableRuntimeApi || !m_api.enableDriverApi) // a CUPTI without them records all calls
        return;
    const auto leaveOut = [this](CUpti_CallbackDomain domain, auto isRecorded, auto enableOne) {
        const char* name = nullptr;
        for (CUpti_CallbackId id = 1; m_api.getCallbackName(domain, id, &name) == CUPTI_SUCCESS; ++id)
            if (!name || !isRecorded(name))
                check(enableOne(id, 0));
    };
    leaveOut(CUPTI_CB_DOMAIN_RUNTIME_API, isRuntimeApiRecorded, m_api.enableRuntimeApi);
    leaveOut(CUPTI_CB_DOMAIN_DRIVER_API, isDriverApiRecorded, m_api.enableDriverApi);
}

void CuptiSource::switchKinds(bool on) noexcept {
    const auto change = on ? m_api.enable : m_api.disable;
    for (const CUpti_ActivityKind kind : kGpuKinds)
        check(change(kind));
    if (m_detail == Detail::Kernels)
        return;
    for (const CUpti_ActivityKind kind : kHostKinds)
        check(change(kind));
    switchApiCalls(on);
}

void CuptiSource::watchProfilerApi(void (*called)(bool start)) noexcept {
    m_profilerApiCalled = called;
    if (!m_api.enableCallback)
        return;
    for (const CUpti_CallbackId id :
         {CUPTI_RUNTIME_TRACE_CBID_cudaProfilerStart_v4000, CUPTI_RUNTIME_TRACE_CBID_cudaProfilerStop_v4000})
        check(m_api.enableCallback(1, m_subscriber, CUPTI_CB_DOMAIN_RUNTIME_API, id));
    for (const CUpti_CallbackId id :
         {CUPTI_DRIVER_TRACE_CBID_cuProfilerStart, CUPTI_DRIVER_TRACE_CBID_cuProfilerStop})
        check(m_api.enableCallback(1, m_subscriber, CUPTI_CB_DOMAIN_DRIVER_API, id));
}

// Recording is on from the end of the start call to the beginning of the stop call. A runtime call makes the
// driver's call too: the second changes nothing.
void CuptiSource::apiCalled(void* source, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                            const void* call) noexcept {
    auto* self = static_cast<CuptiSource*>(source);
    if (!self->m_profilerApiCalled || !isProfilerCall(domain, id))
        return codeLoadCallback(&self->m_api, domain, id, call);
    const bool isEnter = static_cast<const CUpti_CallbackData*>(call)->callbackSite == CUPTI_API_ENTER;
    if (isProfilerStart(domain, id) != isEnter)
        self->m_profilerApiCalled(!isEnter);
}

void CuptiSource::flush(bool force) noexcept {
    if (isAttached())
        check(m_api.flushAll(force ? CUPTI_ACTIVITY_FLAG_FLUSH_FORCED : 0));
}

void CuptiSource::bufferRequested(std::uint8_t** buffer, std::size_t* size,
                                  std::size_t* maxRecords) noexcept {
    *buffer = g_source.m_pool.take();
    *size = *buffer ? BufferPool::kBufferBytes : 0;
    *maxRecords = 0; // as many as fit
    if (!*buffer)
        g_source.m_buffersRefused.fetch_add(1, std::memory_order_relaxed);
}

void CuptiSource::bufferCompleted(CUcontext /*context*/, std::uint32_t /*streamId*/, std::uint8_t* buffer,
                                  std::size_t /*size*/, std::size_t validSize) noexcept {
    if (buffer)
        g_source.m_pool.complete(buffer, validSize);
}

void CuptiSource::drain() noexcept {
    if (!isAttached())
        return;
    for (BufferPool::Completed buffer = m_pool.takeCompleted(); buffer.data;
         buffer = m_pool.takeCompleted()) {
        CUpti_Activity* record = nullptr;
        while (m_api.getNextRecord(buffer.data, buffer.validBytes, &record) == CUPTI_SUCCESS)
            m_decoder.decode(*record);
        m_pool.giveBack(buffer);
        std::size_t dropped = 0;
        if (m_api.getNumDroppedRecords(nullptr, 0, &dropped) == CUPTI_SUCCESS)
            m_droppedByCupti += dropped;
    }
}

} // namespace tacho
