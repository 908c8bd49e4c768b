// SPDX-License-Identifier: Apache-2.0
// The calls of the CUDA API that tacho records, as bare CUPTI numbers them.
#pragma once

#include "collector/inject/api_allow_list.h"

#include <cupti.h>

namespace tacho {

/// Calls `function(domain, id, name, isListed)` for each call of both APIs; a name may be null.
template <typename Function>
void forEachApiCall(Function function) {
    for (const CUpti_CallbackDomain domain : {CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_CB_DOMAIN_DRIVER_API}) {
        const auto isRecorded =
            domain == CUPTI_CB_DOMAIN_RUNTIME_API ? isRuntimeApiRecorded : isDriverApiRecorded;
        const char* name = nullptr;
        for (CUpti_CallbackId id = 1; cuptiGetCallbackName(domain, id, &name) == CUPTI_SUCCESS; ++id)
            function(domain, id, name, name && isRecorded(name));
    }
}

} // namespace tacho
