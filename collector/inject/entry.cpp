// SPDX-License-Identifier: Apache-2.0
// The names that the library exports: see exports.map.
#include "collector/inject/hook_api.h"
#include "collector/inject/host_clock.h"
#include "collector/inject/nvtx_source.h"
#include "collector/inject/session.h"

#include <cerrno>

namespace {

/// What the host's code may be looking at while it calls us.
class KeepErrno {
  public:
    KeepErrno() noexcept : m_saved(errno) {}
    KeepErrno(const KeepErrno&) = delete;
    KeepErrno& operator=(const KeepErrno&) = delete;
    ~KeepErrno() { errno = m_saved; }

  private:
    int m_saved;
};

} // namespace

#pragma GCC visibility push(default)
extern "C" {

/// Called by the CUDA driver (CUDA_INJECTION64_PATH) while it initialises. Not 0: success, as the driver
/// wants it.
int InitializeInjection() {
    const KeepErrno keep;
    if (tacho::session().start())
        tacho::session().attachCuda();
    return 1;
}

/// Called by NVTX (NVTX_INJECTION64_PATH) at the first NVTX call of each client. 0 makes NVTX do nothing ever
/// after.
int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t getExportTable) {
    const KeepErrno keep;
    // A forked child that only has ranges is a helper, and stays unrecorded; what it may start later is not.
    const bool wanted = tacho::session().isForkedOff() || tacho::session().start();
    return wanted ? tacho::installNvtx(getExportTable) : 0;
}

int tacho_attach() {
    const KeepErrno keep;
    if (!tacho::session().start())
        return 0;
    tacho::session().capture().expectSteps();
    return 1;
}

void tacho_step_end(std::uint64_t index) {
    const KeepErrno keep;
    tacho::session().endStep(index);
}

void tacho_phase_begin(const char* name) {
    const KeepErrno keep;
    tacho::pushPhase(name);
}

void tacho_phase_end() {
    const KeepErrno keep;
    tacho::popPhase();
}

void tacho_fact(const char* name, const char* value) {
    const KeepErrno keep;
    if (name && value)
        tacho::session().fact(name, value);
}

void tacho_memory(std::uint32_t device, std::uint64_t allocated, std::uint64_t reserved,
                  std::uint64_t peakAllocated) {
    const KeepErrno keep;
    if (!tacho::session().isRecording())
        return;
    tacho::spool::FrameworkMemory memory{};
    memory.header.type = static_cast<std::uint16_t>(tacho::spool::RecordType::FrameworkMemory);
    memory.deviceId = device;
    memory.timeNs = tacho::hostNowNs();
    memory.allocatedBytes = allocated;
    memory.reservedBytes = reserved;
    memory.peakAllocatedBytes = peakAllocated;
    tacho::session().log().append(&memory, sizeof memory);
}

void tacho_flush() {
    const KeepErrno keep;
    tacho::session().flush();
}
}
#pragma GCC visibility pop
