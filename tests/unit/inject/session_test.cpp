// SPDX-License-Identifier: Apache-2.0
// The whole library but CUPTI, linked into this program, through NVTX and the hook's functions.
#include "collector/inject/hook_api.h"
#include "collector/inject/session.h"
#include "tests/unit/inject/spool_contents.h"

#include <atomic>
#include <barrier>
#include <cstdlib>
#include <gtest/gtest.h>
#include <nvtx3/nvToolsExt.h>
#include <string>
#include <thread>
#include <vector>

extern "C" int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t);

namespace tacho {
namespace {

/// What a busy thread of a training does, on names that others use too.
void train(int thread) {
    nvtxDomainHandle_t domain = nvtxDomainCreateA("data");
    nvtxDomainHandle_t own = nvtxDomainCreateA(("own " + std::to_string(thread)).c_str());
    for (int i = 0; i < 2000; ++i) {
        nvtxEventAttributes_t attributes{};
        attributes.version = NVTX_VERSION;
        attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
        attributes.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
        attributes.message.registered = nvtxDomainRegisterStringA(domain, std::to_string(i % 10).c_str());
        nvtxRangePushA("outer");
        nvtxDomainRangePushEx(own, &attributes);
        nvtxDomainRangePop(own);
        nvtxRangePop();
        tacho_phase_begin("forward");
        tacho_phase_end();
    }
}

// One process has one session in its life: so one test.
TEST(Session, RecordsManyThreadsThatStartItAtOnceAndFlushIt) {
    const SpoolDirectory directory;
    ASSERT_EQ(setenv(spool::kDirectoryVariable, directory.path(), 1), 0);
    InitializeInjectionNvtx2_fnptr = InitializeInjectionNvtx2; // NVTX looks here at its first call
    constexpr int kThreads = 8;
    std::atomic<int> attached{0};
    // NVTX itself is not safe for threads that make their first call at once.
    std::barrier attachedAll(kThreads, []() noexcept { nvtxMarkA("first call"); });
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t)
        threads.emplace_back([t, &attached, &attachedAll] {
            attached += tacho_attach();
            attachedAll.arrive_and_wait();
            train(t);
            tacho_flush();
            tacho_fact("thread", std::to_string(t).c_str());
            tacho_step_end(static_cast<std::uint64_t>(t));
        });
    for (std::thread& thread : threads)
        thread.join();
    EXPECT_EQ(attached, kThreads);
    tacho_flush();
    const SpoolContents contents(directory.onlyFile());
    const std::size_t events = contents.all<spool::NvtxEvent>(spool::RecordType::NvtxEvent).size();
    constexpr std::size_t kCalls = std::size_t{kThreads} * 2000 * 6 + 1;
    EXPECT_EQ(events + session().log().dropped(), kCalls);
    EXPECT_EQ(contents.all<spool::StepEnd>(spool::RecordType::StepEnd).size(), std::size_t{kThreads});
    session().stop();
    EXPECT_FALSE(session().isRecording());
    EXPECT_EQ(SpoolContents(directory.onlyFile()).all<spool::End>(spool::RecordType::End).size(), 1U);
}

} // namespace
} // namespace tacho
