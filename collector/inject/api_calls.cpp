// SPDX-License-Identifier: Apache-2.0
#include "collector/inject/api_calls.h"

#include "collector/inject/api_allow_list.h"
#include "collector/inject/correlations.h"
#include "collector/inject/host_clock.h"
#include "collector/inject/session.h"

#include <atomic>
#include <cstring>

namespace tacho {

namespace {

/// Changes whenever other calls are watched, so that a thread which then was inside a call begins anew.
constinit std::atomic<std::uint32_t> g_generation{0};

struct OpenCalls {
    std::uint32_t generation;
    std::uint32_t depth; ///< recorded calls of this thread that have not returned
};
thread_local OpenCalls t_open __attribute__((tls_model("initial-exec"))) = {};

constexpr CUpti_CallbackDomain kDomains[] = {CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_CB_DOMAIN_DRIVER_API};

bool isDriver(CUpti_CallbackDomain domain) noexcept {
    return domain == CUPTI_CB_DOMAIN_DRIVER_API;
}

/// Id of the call's name in the spool: between those of the activity decoder and of NvtxNames.
std::uint32_t nameId(CUpti_CallbackDomain domain, CUpti_CallbackId id) noexcept {
    constexpr std::uint32_t kFirst = 0x4000'0000, kFirstOfDriver = 0x4001'0000;
    return (isDriver(domain) ? kFirstOfDriver : kFirst) + id;
}

bool isListed(CUpti_CallbackDomain domain, const char* name) noexcept {
    return isDriver(domain) ? isDriverApiRecorded(name) : isRuntimeApiRecorded(name);
}

/// Calls `function(domain, id, name)` for each call that may ever be recorded.
template <typename Function>
void forEachCall(const CuptiApi& api, Function function) noexcept {
    for (const CUpti_CallbackDomain domain : kDomains) {
        const char* name = nullptr;
        for (CUpti_CallbackId id = 1; api.getCallbackName(domain, id, &name) == CUPTI_SUCCESS; ++id)
            if (name && (isCodeLoad(name) || isListed(domain, name)))
                function(domain, id, name);
    }
}

} // namespace

void defineApiNames(const CuptiApi& api) noexcept {
    if (!session().isRecording())
        return;
    forEachCall(api, [](CUpti_CallbackDomain domain, CUpti_CallbackId id, const char* name) {
        spool::StringRecord record{};
        record.header.type = static_cast<std::uint16_t>(spool::RecordType::String);
        record.id = nameId(domain, id);
        record.textBytes = static_cast<std::uint32_t>(std::strlen(name));
        session().log().define(&record, sizeof record, name, record.textBytes);
    });
}

void watchApiCalls(const CuptiApi& api, CUpti_SubscriberHandle subscriber, WatchedCalls which) noexcept {
    if (!api.enableCallback)
        return;
    g_generation.fetch_add(1, std::memory_order_relaxed);
    forEachCall(api, [&](CUpti_CallbackDomain domain, CUpti_CallbackId id, const char* name) {
        const bool isWatched = which == WatchedCalls::All || isCodeLoad(name) || isGraphLaunch(domain, id);
        (void)api.enableCallback(isWatched ? 1 : 0, subscriber, domain, id);
    });
}

bool isGraphLaunch(CUpti_CallbackDomain domain, CUpti_CallbackId id) noexcept {
    return isDriver(domain) ? id == CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch ||
                                  id == CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch_ptsz
                            : id == CUPTI_RUNTIME_TRACE_CBID_cudaGraphLaunch_v10000 ||
                                  id == CUPTI_RUNTIME_TRACE_CBID_cudaGraphLaunch_ptsz_v10000;
}

void apiCalled(CUpti_CallbackDomain domain, CUpti_CallbackId id, const CUpti_CallbackData& call) noexcept {
    const std::uint32_t generation = g_generation.load(std::memory_order_relaxed);
    if (call.callbackSite == CUPTI_API_ENTER) {
        if (t_open.generation != generation)
            t_open = {generation, 0};
        *call.correlationData = t_open.depth++ == 0 ? hostNowNs() : 0;
        return;
    }
    if (t_open.generation != generation || t_open.depth == 0)
        return;
    --t_open.depth;
    if (*call.correlationData == 0 || !session().isRecording())
        return;
    spool::ApiCall record{};
    record.header.type = static_cast<std::uint16_t>(spool::RecordType::ApiCall);
    record.correlationId = correlations().unique(call.correlationId);
    record.startNs = *call.correlationData;
    record.endNs = hostNowNs();
    record.threadId = EventLog::threadId();
    record.name = nameId(domain, id);
    if (call.functionReturnValue) // CUresult or cudaError_t: both enumerations of 32 bits
        std::memcpy(&record.returnValue, call.functionReturnValue, sizeof record.returnValue);
    record.apiClass = isDriver(domain) ? 1 : 0;
    session().log().append(&record, sizeof record);
}

} // namespace tacho
