// SPDX-License-Identifier: Apache-2.0
#include "collector/inject/cupti_source.h"

#include "collector/inject/api_calls.h"
#include "collector/inject/code_loads.h"
#include "collector/inject/correlations.h"
#include "collector/inject/cupti_versions.h"
#include "collector/inject/host_clock.h"
#include "collector/inject/other_profiler.h"

#include <cstdlib>
#include <cstring>
#include <sched.h>

namespace tacho {

namespace {

// Trivially destructible, and initialised by the compiler: nothing runs at load, exit or dlclose.
constinit CuptiSource g_source;

// This thread is the writer, in a flush. (initial-exec: see event_log.cpp)
thread_local bool t_isFlushing __attribute__((tls_model("initial-exec"))) = false;

constexpr CUpti_ActivityKind kGpuKinds[] = {
    CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, // not KERNEL, which serialises kernels
    CUPTI_ACTIVITY_KIND_MEMCPY,
    CUPTI_ACTIVITY_KIND_MEMCPY2,
    CUPTI_ACTIVITY_KIND_MEMSET,
};

// What mostly happens while a training starts: few records, and needed although the window is closed then.
constexpr CUpti_ActivityKind kProcessKinds[] = {
    CUPTI_ACTIVITY_KIND_CONTEXT,
    CUPTI_ACTIVITY_KIND_OVERHEAD, // loading of modules and functions, too
    CUPTI_ACTIVITY_KIND_JIT,
    CUPTI_ACTIVITY_KIND_MEMORY2,
};

constexpr CUpti_CallbackDomain kApiDomains[] = {CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_CB_DOMAIN_DRIVER_API};

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
    m_isInUse.clear();
    m_hasGraphs = m_isOpen = false;
    // Also tells us whether another profiler is here, and tells others of us.
    const CUptiResult result = m_api.subscribe(&m_subscriber, called, this);
    if (result == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED || result == CUPTI_ERROR_MAX_LIMIT_REACHED)
        return describeOther();
    check(result);
    if (m_refusal)
        return m_refusal;
    if (!m_pool.reserve())
        return "no memory for activity buffers; GPU activity is not recorded";
    m_decoder.reset(file, m_api);
    correlations().reset();
    defineApiNames(m_api);
    configure();
    if (m_refusal)
        return m_refusal;
    switchProcessKinds(true);
    m_recordsWholeGraphs = recordsWholeGraphs();
    if (m_recordsWholeGraphs) // only now: CUPTI 13.0 crashes the process if a graph exists already
        check(m_api.enable(CUPTI_ACTIVITY_KIND_GRAPH_TRACE));
    m_state.store(State::Attached, std::memory_order_release);
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
    if (m_api.setAttribute) {
        // Our buffers are zero already: spares a memset in the training's threads. Refused by older versions:
        // no loss.
        std::uint8_t on = 1;
        std::size_t size = sizeof on;
        (void)m_api.setAttribute(CUPTI_ACTIVITY_ATTR_ZEROED_OUT_ACTIVITY_BUFFER, &size, &on);
        size = sizeof on;
        (void)m_api.setAttribute(CUPTI_ACTIVITY_ATTR_PER_THREAD_ACTIVITY_BUFFER, &size, &on);
    }
    check(m_api.registerCallbacks(bufferRequested, bufferCompleted));
    watchAlways();
}

// What CUPTI is to call us for outside of windows too.
void CuptiSource::watchAlways() noexcept {
    if (!m_api.enableCallback)
        return;
    for (const CUpti_CallbackId id :
         {CUPTI_CBID_RESOURCE_MODULE_LOADED, CUPTI_CBID_RESOURCE_GRAPHEXEC_CREATED})
        (void)m_api.enableCallback(1, m_subscriber, CUPTI_CB_DOMAIN_RESOURCE, id);
    watchApiCalls(m_api, m_subscriber, WatchedCalls::Loads);
}

void CuptiSource::switchProcessKinds(bool on) noexcept {
    const auto change = on ? m_api.enable : m_api.disable;
    for (const CUpti_ActivityKind kind : kProcessKinds)
        check(change(kind));
}

void CuptiSource::switchWindowKinds(bool on) noexcept {
    if (m_detail == Detail::Calls)
        watchApiCalls(m_api, m_subscriber, on ? WatchedCalls::All : WatchedCalls::Loads);
    m_isOpen.store(on, std::memory_order_relaxed);
    const auto change = on ? m_api.enable : m_api.disable;
    for (const CUpti_ActivityKind kind : kGpuKinds)
        check(change(kind));
}

bool CuptiSource::open() noexcept {
    if (!isAttached()) {
        while (m_isInUse.test_and_set(std::memory_order_acquire)) // it may be leaving right now: some ms
            sched_yield();
        stay();
        const bool isBack = isAttached() || comeBack();
        m_isInUse.clear(std::memory_order_release);
        if (!isBack)
            return false;
    }
    switchProcessKinds(true); // leave() may have tried
    switchWindowKinds(true);
    return true;
}

// A CUDA graph that was launched while CUPTI was here fails when it is launched after (13.0 on an H200: "CUDA
// error: unspecified launch failure", and the training is dead; docs/decisions/0004-leaving.md). And without
// CUPTI nobody would tell us of cudaProfilerStart.
bool CuptiSource::canLeave() const noexcept {
    return m_api.version >= cupti_version::kCuda126 && m_api.finalize && m_api.enableDomain &&
           !m_profilerApiCalled && !m_recordsWholeGraphs && !m_hasGraphs.load(std::memory_order_relaxed);
}

void CuptiSource::leave() noexcept {
    if (!canLeave() || !isAttached())
        return;
    if (!m_decoder.hasContext()) { // CUDA is still being initialised, or the record of it is not here yet
        (void)m_api.flushAll(0);   // refused in the first case
        return;
    }
    switchProcessKinds(false); // CUPTI would note its own flush
    check(m_api.flushAll(0));
    if (m_pool.inUse() > 0) // by the writer, or by CUPTI: some record in there is of work that has not ended
        return;
    m_state.store(State::Leaving, std::memory_order_release);
    for (const CUpti_CallbackDomain domain : kApiDomains) // so that the next call, whatever it is, lets us in
        check(m_api.enableDomain(1, m_subscriber, domain));
}

// CUPTI may be taken down where a call returns to the training, and nowhere else.
void CuptiSource::leaveNow(const CUpti_CallbackData& call) noexcept {
    if (call.callbackSite != CUPTI_API_EXIT || m_isInUse.test_and_set(std::memory_order_acquire))
        return;
    if (!canLeave()) { // a graph came meanwhile
        stay();
    } else if (state() == State::Leaving) {
        check(m_api.finalize());
        m_leftNs.store(hostNowNs(), std::memory_order_relaxed);
        m_state.store(State::Left, std::memory_order_release);
    }
    m_isInUse.clear(std::memory_order_release);
}

// It was asked to leave, and is not to.
void CuptiSource::stay() noexcept {
    if (state() != State::Leaving)
        return;
    for (const CUpti_CallbackDomain domain : kApiDomains)
        check(m_api.enableDomain(0, m_subscriber, domain));
    watchAlways();
    m_state.store(State::Attached, std::memory_order_release);
}

bool CuptiSource::comeBack() noexcept {
    if (m_api.subscribe(&m_subscriber, called, this) != CUPTI_SUCCESS)
        return false;
    correlations().countAnew();
    configure();
    m_state.store(State::Attached, std::memory_order_release);
    return true;
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

void CuptiSource::called(void* source, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                         const void* data) noexcept {
    auto* self = static_cast<CuptiSource*>(source);
    if (domain == CUPTI_CB_DOMAIN_RUNTIME_API || domain == CUPTI_CB_DOMAIN_DRIVER_API)
        self->apiCalled(domain, id, *static_cast<const CUpti_CallbackData*>(data));
    else if (domain == CUPTI_CB_DOMAIN_RESOURCE && id == CUPTI_CBID_RESOURCE_GRAPHEXEC_CREATED)
        self->m_hasGraphs.store(true, std::memory_order_relaxed);
    else if (domain == CUPTI_CB_DOMAIN_RESOURCE && id == CUPTI_CBID_RESOURCE_MODULE_LOADED && data)
        moduleLoaded(self->m_api, *static_cast<const CUpti_ResourceData*>(data));
}

// Recording is on from the end of the start call to the beginning of the stop call. A runtime call makes the
// driver's call too: the second changes nothing.
void CuptiSource::apiCalled(CUpti_CallbackDomain domain, CUpti_CallbackId id,
                            const CUpti_CallbackData& call) noexcept {
    const bool isGraph = isGraphLaunch(domain, id);
    if (isGraph)
        m_hasGraphs.store(true, std::memory_order_relaxed);
    const bool isEnter = call.callbackSite == CUPTI_API_ENTER;
    if (state() != State::Attached)
        leaveNow(call);
    else if (m_profilerApiCalled && isProfilerCall(domain, id)) {
        if (isProfilerStart(domain, id) != isEnter)
            m_profilerApiCalled(!isEnter);
    } else if (!isGraph || m_isOpen.load(std::memory_order_relaxed))
        tacho::apiCalled(domain, id, call);
}

std::uint64_t CuptiSource::flush(bool force) noexcept {
    if (m_isInUse.test_and_set(std::memory_order_acquire))
        return 0;
    const std::uint64_t before = bytesDecoded();
    t_isFlushing = true;
    if (isAttached())
        check(m_api.flushAll(force ? CUPTI_ACTIVITY_FLAG_FLUSH_FORCED : 0));
    t_isFlushing = false;
    m_isInUse.clear(std::memory_order_release);
    return bytesDecoded() - before;
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
    if (t_isFlushing)
        g_source.decodeCompleted();
}

void CuptiSource::decodeCompleted() noexcept {
    for (BufferPool::Completed buffer = m_pool.takeCompleted(); buffer.data;
         buffer = m_pool.takeCompleted()) {
        CUpti_Activity* record = nullptr;
        while (m_api.getNextRecord(buffer.data, buffer.validBytes, &record) == CUPTI_SUCCESS)
            m_decoder.decode(*record);
        m_pool.giveBack(buffer);
        m_bytesDecoded.fetch_add(buffer.validBytes, std::memory_order_relaxed);
    }
}

void CuptiSource::drain() noexcept {
    if (!isUsable() || m_isInUse.test_and_set(std::memory_order_acquire))
        return;
    decodeCompleted();
    // Only after buffers came: a call would bring CUPTI back into a process that it has left.
    std::size_t dropped = 0;
    if (bytesDecoded() != m_bytesAtDropCount &&
        m_api.getNumDroppedRecords(nullptr, 0, &dropped) == CUPTI_SUCCESS)
        m_droppedByCupti += dropped;
    m_bytesAtDropCount = bytesDecoded();
    m_isInUse.clear(std::memory_order_release);
}

} // namespace tacho
