// SPDX-License-Identifier: Apache-2.0
// Stands in for CUPTI: keeps what was switched on, and delivers records through the callbacks it was given.
#pragma once

#include "collector/inject/cupti_api.h"

#include <cstring>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

namespace tacho {

/// All state is static, as CUPTI's is. Call reset() first.
struct FakeCupti {
    static inline std::set<CUpti_ActivityKind> kinds;
    static inline bool otherSubscriber = false;
    static inline CUpti_ActivityKind refusedKind = CUPTI_ACTIVITY_KIND_INVALID;
    static inline std::size_t dropped = 0;
    static inline int dropQueries = 0;
    static inline int forcedFlushes = 0;
    static inline std::vector<CUpti_ActivityKernel10>
        undelivered; ///< flushAll() delivers them, a buffer each
    static inline CUpti_CallbackFunc subscriber = nullptr;
    static inline void* subscriberData = nullptr;
    static inline std::set<std::pair<CUpti_CallbackDomain, CUpti_CallbackId>> callbacks;
    /// Sizes of the records of this CUPTI's version; of kinds that are not in it: that of
    /// CUpti_ActivityKernel10.
    static inline std::map<CUpti_ActivityKind, std::size_t> recordBytes;
    static inline bool hasAllCallbacks = false; ///< of the API domains
    static inline int finalizations = 0;
    static inline CUpti_BuffersCallbackRequestFunc request = nullptr;
    static inline CUpti_BuffersCallbackCompleteFunc complete = nullptr;
    static inline const std::vector<const char*> runtimeNames = {
        nullptr, "cudaGetDevice_v3020", "cudaLaunchKernel_v7000", "cudaMemcpyAsync_v3020"};
    static inline const std::vector<const char*> driverNames = {nullptr, "cuLaunchKernel",
                                                                "cuModuleLoadData"};

    static void reset() {
        kinds.clear();
        callbacks.clear();
        otherSubscriber = false;
        refusedKind = CUPTI_ACTIVITY_KIND_INVALID;
        dropped = 0;
        dropQueries = 0;
        forcedFlushes = 0;
        undelivered.clear();
        recordBytes.clear();
        hasAllCallbacks = false;
        finalizations = 0;
    }

    /// What CUPTI does where a CUDA call of the training begins and ends.
    static void call(CUpti_ApiCallbackSite site) {
        CUpti_CallbackData data{};
        data.callbackSite = site;
        if (hasAllCallbacks)
            subscriber(subscriberData, CUPTI_CB_DOMAIN_RUNTIME_API, 1, &data);
    }

    static bool deliver(const std::vector<CUpti_ActivityKernel10>& records) {
        return deliver(std::string_view(reinterpret_cast<const char*>(records.data()),
                                        records.size() * sizeof records[0]));
    }
    /// Asks for a buffer, fills it with `records`, and completes it. False: none was given.
    static bool deliver(std::string_view records) {
        std::uint8_t* buffer = nullptr;
        std::size_t size = 0;
        std::size_t maxRecords = 1;
        request(&buffer, &size, &maxRecords);
        if (!buffer)
            return false;
        std::memcpy(buffer, records.data(), records.size());
        complete(nullptr, 0, buffer, size, records.size());
        return true;
    }

    static std::size_t bytesOf(const CUpti_Activity& record) {
        const auto found = recordBytes.find(record.kind);
        return found != recordBytes.end() ? found->second : sizeof(CUpti_ActivityKernel10);
    }

    static CuptiApi api() {
        CuptiApi api;
        api.version = CUPTI_API_VERSION;
        api.subscribe = [](CUpti_SubscriberHandle*, CUpti_CallbackFunc callback, void* data) {
            subscriber = callback;
            subscriberData = data;
            return otherSubscriber ? CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED : CUPTI_SUCCESS;
        };
        api.registerCallbacks = [](CUpti_BuffersCallbackRequestFunc r, CUpti_BuffersCallbackCompleteFunc c) {
            request = r;
            complete = c;
            return CUPTI_SUCCESS;
        };
        api.enable = [](CUpti_ActivityKind kind) {
            if (kind == refusedKind)
                return CUPTI_ERROR_INVALID_KIND;
            kinds.insert(kind);
            return CUPTI_SUCCESS;
        };
        api.disable = [](CUpti_ActivityKind kind) {
            kinds.erase(kind);
            return CUPTI_SUCCESS;
        };
        api.flushAll = [](std::uint32_t flag) {
            forcedFlushes += flag == CUPTI_ACTIVITY_FLAG_FLUSH_FORCED ? 1 : 0;
            for (const CUpti_ActivityKernel10& record : std::exchange(undelivered, {}))
                dropped += deliver({record}) ? 0 : 1;
            return CUPTI_SUCCESS;
        };
        api.getNextRecord = [](std::uint8_t* buffer, std::size_t valid, CUpti_Activity** record) {
            std::uint8_t* next =
                *record ? reinterpret_cast<std::uint8_t*>(*record) + bytesOf(**record) : buffer;
            if (next >= buffer + valid)
                return CUPTI_ERROR_MAX_LIMIT_REACHED;
            *record = reinterpret_cast<CUpti_Activity*>(next);
            return CUPTI_SUCCESS;
        };
        api.getNumDroppedRecords = [](CUcontext, std::uint32_t, std::size_t* count) {
            ++dropQueries;
            *count = std::exchange(dropped, 0);
            return CUPTI_SUCCESS;
        };
        api.getCallbackName = [](CUpti_CallbackDomain domain, std::uint32_t id, const char** name) {
            const auto& names = domain == CUPTI_CB_DOMAIN_RUNTIME_API ? runtimeNames : driverNames;
            if (id >= names.size())
                return CUPTI_ERROR_INVALID_PARAMETER;
            *name = names[id];
            return CUPTI_SUCCESS;
        };
        api.getResultString = [](CUptiResult, const char** text) {
            *text = "CUPTI_ERROR_FAKE";
            return CUPTI_SUCCESS;
        };
        api.enableDomain = [](std::uint32_t on, CUpti_SubscriberHandle, CUpti_CallbackDomain) {
            hasAllCallbacks = on != 0;
            return CUPTI_SUCCESS;
        };
        api.finalize = [] {
            ++finalizations;
            kinds.clear();
            hasAllCallbacks = false;
            return CUPTI_SUCCESS;
        };
        api.enableCallback = [](std::uint32_t on, CUpti_SubscriberHandle, CUpti_CallbackDomain domain,
                                CUpti_CallbackId id) {
            if (on)
                callbacks.emplace(domain, id);
            else
                callbacks.erase({domain, id});
            return CUPTI_SUCCESS;
        };
        api.getDeviceId = [](CUcontext, std::uint32_t* id) {
            *id = 3;
            return CUPTI_SUCCESS;
        };
        return api;
    }
};

} // namespace tacho
