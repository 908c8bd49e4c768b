// SPDX-License-Identifier: Apache-2.0
#include "collector/inject/code_loads.h"

#include "collector/inject/api_allow_list.h"
#include "collector/inject/host_clock.h"
#include "collector/inject/session.h"

#include <cstring>
#include <elf.h>

namespace tacho {

namespace {

void moduleLoaded(const CuptiApi& api, const CUpti_ResourceData& resource) noexcept {
    const auto* const code = static_cast<const CUpti_ModuleResourceData*>(resource.resourceDescriptor);
    if (!code)
        return;
    spool::Module module{};
    module.header.type = static_cast<std::uint16_t>(spool::RecordType::Module);
    module.threadId = EventLog::threadId();
    module.timeNs = hostNowNs();
    module.codeBytes = code->cubinSize;
    module.moduleId = code->moduleId;
    module.architecture = architectureOf(code->pCubin, code->cubinSize);
    if (api.getDeviceId && resource.context)
        (void)api.getDeviceId(resource.context, &module.deviceId); // refused: it stays 0
    session().log().append(&module, sizeof module);
}

void codeLoadCalled(const CuptiApi& api, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                    const CUpti_CallbackData& call) noexcept {
    if (call.callbackSite == CUPTI_API_ENTER) {
        *call.correlationData = hostNowNs();
        return;
    }
    const char* name = nullptr;
    if (api.getCallbackName(domain, id, &name) != CUPTI_SUCCESS || !name)
        return;
    spool::LoadCall load{};
    load.header.type = static_cast<std::uint16_t>(spool::RecordType::LoadCall);
    load.correlationId = call.correlationId;
    load.startNs = *call.correlationData;
    load.endNs = hostNowNs();
    load.threadId = EventLog::threadId();
    load.apiClass = domain == CUPTI_CB_DOMAIN_DRIVER_API ? 1 : 0;
    if (call.functionReturnValue) // CUresult or cudaError_t: both enumerations of 32 bits
        std::memcpy(&load.returnValue, call.functionReturnValue, sizeof load.returnValue);
    load.nameBytes = static_cast<std::uint32_t>(std::strlen(name));
    session().log().append(&load, sizeof load, name, load.nameBytes);
}

} // namespace

void switchOnCodeLoadCallbacks(const CuptiApi& api, CUpti_SubscriberHandle subscriber) noexcept {
    if (!api.enableCallback)
        return;
    (void)api.enableCallback(1, subscriber, CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_MODULE_LOADED);
    for (const CUpti_CallbackDomain domain : {CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_CB_DOMAIN_DRIVER_API}) {
        const char* name = nullptr;
        for (CUpti_CallbackId id = 1; api.getCallbackName(domain, id, &name) == CUPTI_SUCCESS; ++id)
            if (name && isCodeLoad(name))
                (void)api.enableCallback(1, subscriber, domain, id);
    }
}

void codeLoadCallback(void* api, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                      const void* data) noexcept {
    if (!data || !session().isRecording())
        return;
    const auto& cupti = *static_cast<const CuptiApi*>(api);
    if (domain == CUPTI_CB_DOMAIN_RESOURCE && id == CUPTI_CBID_RESOURCE_MODULE_LOADED)
        moduleLoaded(cupti, *static_cast<const CUpti_ResourceData*>(data));
    else if (domain == CUPTI_CB_DOMAIN_RUNTIME_API || domain == CUPTI_CB_DOMAIN_DRIVER_API)
        codeLoadCalled(cupti, domain, id, *static_cast<const CUpti_CallbackData*>(data));
}

// A module's machine code is an ELF file, whose flags name the architecture: in the second byte since ABI
// version 8 (CUDA 13), in the first one before.
std::uint32_t architectureOf(const char* code, std::size_t bytes) noexcept {
    constexpr std::uint16_t kMachineCuda = 190;
    constexpr unsigned char kAbiOfCuda13 = 8;
    Elf64_Ehdr header;
    if (!code || bytes < sizeof header)
        return 0;
    std::memcpy(&header, code, sizeof header);
    if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_machine != kMachineCuda)
        return 0;
    const unsigned shift = header.e_ident[EI_ABIVERSION] >= kAbiOfCuda13 ? 8 : 0;
    return header.e_flags >> shift & 0xffU;
}

} // namespace tacho
