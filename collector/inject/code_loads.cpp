// SPDX-License-Identifier: Apache-2.0
#include "collector/inject/code_loads.h"

#include "collector/inject/host_clock.h"
#include "collector/inject/session.h"

#include <cstring>
#include <elf.h>

namespace tacho {

void moduleLoaded(const CuptiApi& api, const CUpti_ResourceData& resource) noexcept {
    const auto* const code = static_cast<const CUpti_ModuleResourceData*>(resource.resourceDescriptor);
    if (!code || !session().isRecording())
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
