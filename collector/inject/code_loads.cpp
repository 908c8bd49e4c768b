// SPDX-License-Identifier: Apache-2.0
#include "collector/inject/code_loads.h"

#include "collector/inject/host_clock.h"
#include "collector/inject/machine_code.h"
#include "collector/inject/session.h"

namespace tacho {
namespace {

/// Reading the instructions takes the training's time: at most some 9 ms per module. The largest of cuBLAS 13
/// has 17 MB.
constexpr std::size_t kMostReadBytes = std::size_t{64} << 20;

/// What the functions of a module do, some at a time, on the stack.
struct CodeBatch {
    static constexpr std::uint32_t kMostFunctions = 128;
    spool::ModuleCode head{};
    spool::FunctionCode functions[kMostFunctions];

    void add(const spool::FunctionCode& function) noexcept {
        functions[head.functions++] = function;
        if (head.functions == kMostFunctions)
            append();
    }
    void append() noexcept {
        if (head.functions > 0)
            session().log().append(&head, sizeof head, functions, head.functions * sizeof functions[0]);
        head.functions = 0;
    }
};

void noteFunctions(const CUpti_ModuleResourceData& code) noexcept {
    if (code.cubinSize > kMostReadBytes)
        return session().note(spool::Severity::Info, "code_not_read", 1,
                              "modules have more than 64 MiB of GPU code: it was not searched for "
                              "tensor-core instructions, and the kernels are judged by their names");
    CodeBatch batch;
    batch.head.header.type = static_cast<std::uint16_t>(spool::RecordType::ModuleCode);
    batch.head.moduleId = code.moduleId;
    MachineCode machineCode(code.pCubin, code.cubinSize);
    for (spool::FunctionCode function; machineCode.next(function);)
        batch.add(function);
    batch.append();
}

} // namespace

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
    noteFunctions(*code);
}

} // namespace tacho
