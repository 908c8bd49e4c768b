// SPDX-License-Identifier: Apache-2.0
#include "collector/inject/window.h"

#include <gtest/gtest.h>

namespace tacho {

namespace {

/// 'o' where recording is on after so many steps, '.' where it is off.
std::string pattern(const Window& window, std::uint64_t steps) {
    std::string shape;
    for (std::uint64_t ended = 0; ended < steps; ++ended)
        shape += window.isOpenAfter(ended) ? 'o' : '.';
    return shape;
}

} // namespace

TEST(WindowTest, DefaultIsBlocks) {
    EXPECT_EQ(Window::parse("default").trigger(), Window::Trigger::Blocks);
    EXPECT_FALSE(Window::parse("default").opensAtStart(true));
    EXPECT_EQ(Window::parse("default").everySteps(), 0U);
    EXPECT_EQ(Window::parse("default:every:1000").everySteps(), 1000U);
}

TEST(WindowTest, DefaultRecordsAtOnceWhereNobodyReportsSteps) {
    EXPECT_TRUE(Window::parse("default").opensAtStart(false));
    EXPECT_TRUE(Window::parse(nullptr).opensAtStart(false));
    EXPECT_FALSE(Window::parse("default").isOver(0, 1'000'000'000'000));
}

TEST(WindowTest, DefaultStopsWaitingForStepsThatNeverCome) {
    const Window window = Window::parse("default");
    EXPECT_FALSE(window.isWaitOver(0, Window::kLongestWaitNs - 1));
    EXPECT_TRUE(window.isWaitOver(0, Window::kLongestWaitNs));
    EXPECT_FALSE(window.isWaitOver(1, Window::kLongestWaitNs));
}

TEST(WindowTest, StepsRecordsExactlyThoseSteps) {
    const Window window = Window::parse("steps:3:5");
    EXPECT_EQ(pattern(window, 8), "...oo...");
    EXPECT_FALSE(window.opensAtStart(false));
    EXPECT_TRUE(Window::parse("steps:0:1").opensAtStart(true));
    EXPECT_FALSE(window.isWaitOver(0, Window::kLongestWaitNs));
    EXPECT_TRUE(window.isOver(5, 0));
    EXPECT_FALSE(window.isOver(4, 0));
}

TEST(WindowTest, StepsComeAgainEveryNSteps) {
    const Window window = Window::parse("steps:3:5:every:6");
    EXPECT_EQ(pattern(window, 18), "...oo....oo....oo.");
    EXPECT_FALSE(window.isOver(1'000'000, 0));
}

TEST(WindowTest, TimeOpensAfterTheDelayForTheDuration) {
    const Window window = Window::parse("time:100:50");
    EXPECT_EQ(window.trigger(), Window::Trigger::Clock);
    EXPECT_FALSE(window.opensAtStart(false));
    EXPECT_FALSE(window.isOpenAt(99));
    EXPECT_TRUE(window.isOpenAt(100));
    EXPECT_TRUE(window.isOpenAt(149));
    EXPECT_FALSE(window.isOpenAt(150));
    EXPECT_FALSE(window.isOver(0, 99));
    EXPECT_TRUE(window.isOver(0, 150));
}

TEST(WindowTest, TimeWithoutADurationStaysOpen) {
    const Window window = Window::parse("time:0:0");
    EXPECT_TRUE(window.opensAtStart(true));
    EXPECT_TRUE(window.isOpenAt(1'000'000'000'000));
    EXPECT_FALSE(window.isOver(0, 1'000'000'000'000));
}

TEST(WindowTest, RangesWaitForTheirEvent) {
    EXPECT_EQ(Window::parse("range:cudaProfilerApi").trigger(), Window::Trigger::ProfilerApi);
    EXPECT_EQ(Window::parse("range:ctl").trigger(), Window::Trigger::Outside);
    const Window named = Window::parse("range:nvtx:train step: 3");
    EXPECT_EQ(named.trigger(), Window::Trigger::NvtxRange);
    EXPECT_STREQ(named.rangeName(), "train step: 3");
    for (const char* text : {"range:cudaProfilerApi", "range:ctl", "range:nvtx:x"}) {
        EXPECT_FALSE(Window::parse(text).opensAtStart(false)) << text;
        EXPECT_FALSE(Window::parse(text).isOver(1000, 1'000'000'000'000)) << text;
    }
    EXPECT_EQ(Window::parse("default").rangeName(), nullptr);
}

TEST(WindowTest, AllIsOpenFromTheStart) {
    EXPECT_TRUE(Window::parse("all").opensAtStart(true));
    EXPECT_FALSE(Window::parse("all").isOver(1000, 1'000'000'000'000));
}

TEST(WindowTest, NonsenseIsTheDefault) {
    for (const char* text : {"steps:5:3", "steps:x:y", "", "steps:4", "time:5", "range:", "range:other"})
        EXPECT_EQ(Window::parse(text).trigger(), Window::Trigger::Blocks) << text;
}

} // namespace tacho
