// SPDX-License-Identifier: Apache-2.0
#include "collector/recorder/progress_line.h"

#include <gtest/gtest.h>

namespace tacho {
namespace {

TEST(ProgressText, SaysHowFarTheWindowIs) {
    Progress progress{std::chrono::seconds(75), 1'234'567, 84'000'000, {}};
    EXPECT_EQ(progressText(progress, "default"), "tacho: 75 s, 1.2 M events, 84 MB, waiting for step 15");
    progress.steps = {31, true, true};
    EXPECT_EQ(progressText(progress, "default"), "tacho: 75 s, 1.2 M events, 84 MB, recording (step 31)");
    progress.steps = {99, false, true};
    progress.events = 950;
    EXPECT_EQ(progressText(progress, "steps:5:9"),
              "tacho: 75 s, 950 events, 84 MB, recorded, the training goes on (step 99)");
    progress.steps = {3, false, false};
    progress.events = 12'540;
    EXPECT_EQ(progressText(progress, "steps:5:9"),
              "tacho: 75 s, 12.5 k events, 84 MB, waiting for step 5 (step 3)");
    EXPECT_EQ(progressText(progress, "range:nvtx:train epoch"),
              "tacho: 75 s, 12.5 k events, 84 MB, waiting for train epoch (step 3)");
}

TEST(ProgressLine, IsNotShownWhereStderrIsNoTerminal) {
    testing::internal::CaptureStderr();
    {
        ProgressLine line("all", false);
        EXPECT_FALSE(line.isShown());
        line.show({});
    }
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

} // namespace
} // namespace tacho
