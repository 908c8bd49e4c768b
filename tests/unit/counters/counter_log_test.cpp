// SPDX-License-Identifier: Apache-2.0
#include "collector/counters/counter_log.h"

#include "tests/unit/counters/counter_spool.h"
#include "tests/unit/temporary_folder.h"

#include <gmock/gmock.h>

namespace tacho {
namespace {

using testing::ElementsAre;

TEST(CounterLog, WhatIsAddedCanBeRead) {
    const test::TemporaryFolder folder;
    CounterLog log(folder / "counters-x.spool");
    const std::uint32_t gpu = log.idOf("GPU-1");
    log.add(gpu, log.idOf("SM Clock [MHz]"), 100, 1980);
    log.add(gpu, log.idOf("SM Clock [MHz]"), 200, 1200.5);
    log.flush();
    EXPECT_THAT(test::counterLines(folder / "counters-x.spool"),
                ElementsAre("GPU-1 SM Clock [MHz] @100 = 1980", "GPU-1 SM Clock [MHz] @200 = 1200.5"));
}

TEST(CounterLog, AProblemIsToldOnce) {
    const test::TemporaryFolder folder;
    CounterLog log(folder / "counters-x.spool");
    log.addProblem(spool::Severity::Info, "no_nvml", "of GPU 0");
    log.addProblem(spool::Severity::Info, "no_nvml", "of GPU 1");
    log.flush();
    EXPECT_THAT(test::counterLines(folder / "counters-x.spool"), ElementsAre("no_nvml: of GPU 0"));
}

TEST(CounterLog, WithoutValuesThereIsNoFile) {
    const test::TemporaryFolder folder;
    CounterLog(folder / "counters-x.spool").flush();
    EXPECT_FALSE(std::filesystem::exists(folder / "counters-x.spool"));
}

TEST(CounterLog, AFolderThatIsGoneIsNoTrouble) {
    CounterLog log("/nonexistent/counters-x.spool");
    log.add(log.idOf("GPU-1"), log.idOf("SM Clock [MHz]"), 1, 1);
    log.flush();
    log.add(log.idOf("GPU-1"), log.idOf("SM Clock [MHz]"), 2, 1);
    log.flush();
}

} // namespace
} // namespace tacho
