// SPDX-License-Identifier: Apache-2.0
// The CUPTI functions we call, looked up at run time.
#pragma once

#include <cstdint>
#include <cupti.h>

namespace tacho {

/// A CUPTI library of this process. A function that this CUPTI lacks is null: the optional ones are tested
/// before use.
struct CuptiApi {
    std::uint32_t version = 0;     ///< as cuptiGetVersion says: 130001 for CUDA 13.0
    const char* problem = nullptr; ///< why CUPTI cannot be used, a sentence that lives for ever; null: it can
    const char* file = nullptr;    ///< the library; null: not known

    decltype(&::cuptiGetVersion) getVersion = nullptr;
    decltype(&::cuptiSubscribe) subscribe = nullptr;
    decltype(&::cuptiActivityRegisterCallbacks) registerCallbacks = nullptr;
    decltype(&::cuptiActivityEnable) enable = nullptr;
    decltype(&::cuptiActivityDisable) disable = nullptr;
    decltype(&::cuptiActivityFlushAll) flushAll = nullptr;
    decltype(&::cuptiActivityGetNextRecord) getNextRecord = nullptr;
    decltype(&::cuptiActivityGetNumDroppedRecords) getNumDroppedRecords = nullptr;
    decltype(&::cuptiGetCallbackName) getCallbackName = nullptr;
    decltype(&::cuptiGetResultString) getResultString = nullptr;
    // Optional: newer than the oldest CUPTI we read.
    decltype(&::cuptiActivitySetAttribute) setAttribute = nullptr;
    decltype(&::cuptiSetThreadIdType) setThreadIdType = nullptr;
    decltype(&::cuptiActivityRegisterTimestampCallback) registerTimestampCallback = nullptr;
    decltype(&::cuptiEnableCallback) enableCallback = nullptr;
    decltype(&::cuptiEnableDomain) enableDomain = nullptr;
    decltype(&::cuptiFinalize) finalize = nullptr;
    decltype(&::cuptiGetDeviceId) getDeviceId = nullptr;
    decltype(&::cuptiSubscribe_v2) subscribeV2 = nullptr;
    decltype(&::cuptiUnsubscribe) unsubscribe = nullptr;
};

/// Finds CUPTI: the library that TACHO_CUPTI names; else the copy that is already in the process (a
/// framework's own); else the one beside the CUDA toolkit. Never fails the host: see CuptiApi::problem.
[[nodiscard]] CuptiApi loadCupti() noexcept;

} // namespace tacho
