// SPDX-License-Identifier: Apache-2.0
// The whole library with a CUPTI that is a stand-in, in a process whose threads do everything at once.
#include "collector/inject/hook_api.h"
#include "collector/inject/session.h"
#include "stand_in/cuda.h"
#include "tests/unit/inject/spool_contents.h"

#include <atomic>
#include <cstdlib>
#include <gtest/gtest.h>
#include <set>
#include <thread>
#include <vector>

extern "C" int InitializeInjection();

namespace tacho {
namespace {

constexpr int kSteps = 200;
constexpr int kLaunches = 3000;

void endSteps() {
    for (std::uint64_t step = 0; step < kSteps; ++step) {
        launch("kernel of the step");
        tacho_step_end(step);
        std::this_thread::yield();
    }
}

void launchMany() {
    for (int i = 0; i < kLaunches; ++i) {
        tacho_phase_begin("forward");
        launch("kernel");
        tacho_phase_end();
    }
}

/// That each window is closed before the next one opens.
void expectAlternating(const std::vector<spool::Window>& changes) {
    for (std::size_t i = 0; i < changes.size(); ++i)
        EXPECT_EQ(changes[i].isOpen, i % 2 == 0 ? 1U : 0U) << "change " << i;
}

// One process has one session in its life: so one test.
TEST(GpuSession, OpensAndClosesWindowsWhileThreadsLaunchAndFlush) {
    const SpoolDirectory directory;
    ASSERT_EQ(setenv(spool::kDirectoryVariable, directory.path(), 1), 0);
    ASSERT_EQ(setenv(spool::kWindowVariable, "steps:2:4:every:4", 1), 0);
    ASSERT_EQ(tacho_attach(), 1);
    ASSERT_EQ(InitializeInjection(), 1);
    ASSERT_TRUE(cuptiSource().isAttached());
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
        threads.emplace_back(launchMany);
    threads.emplace_back(endSteps);
    threads.emplace_back([] {
        for (int i = 0; i < 20; ++i)
            tacho_flush();
    });
    for (std::thread& thread : threads)
        thread.join();
    session().stop();

    const SpoolContents contents(directory.onlyFile());
    EXPECT_EQ(contents.all<spool::StepEnd>(spool::RecordType::StepEnd).size(), std::size_t{kSteps});
    const auto changes = contents.all<spool::Window>(spool::RecordType::Window);
    EXPECT_GE(changes.size(), 2U);
    expectAlternating(changes);
    const auto kernels = contents.all<spool::Kernel>(spool::RecordType::Kernel);
    EXPECT_GT(kernels.size(), 0U);
    std::set<std::uint32_t> launches;
    for (const spool::Kernel& kernel : kernels)
        launches.insert(kernel.correlationId);
    EXPECT_EQ(launches.size(), kernels.size()) << "no kernel is written twice";
    EXPECT_EQ(contents.all<spool::End>(spool::RecordType::End).size(), 1U);
}

} // namespace
} // namespace tacho
