// SPDX-License-Identifier: Apache-2.0
#include "collector/inject/window.h"

#include <gtest/gtest.h>

namespace tacho {

TEST(WindowTest, DefaultSkipsCalibratesRecordsAndCloses) {
    const Window window = Window::parse("default");
    EXPECT_FALSE(window.opensAtStart(true));
    EXPECT_FALSE(window.isOpenAfter(0));
    EXPECT_FALSE(window.isOpenAfter(19));
    EXPECT_TRUE(window.isOpenAfter(20));
    EXPECT_TRUE(window.isOpenAfter(69));
    EXPECT_FALSE(window.isOpenAfter(70));
}

TEST(WindowTest, DefaultRecordsAtOnceWhereNobodyReportsSteps) {
    EXPECT_TRUE(Window::parse("default").opensAtStart(false));
    EXPECT_TRUE(Window::parse(nullptr).opensAtStart(false));
}

TEST(WindowTest, DefaultStopsWaitingForStepsThatNeverCome) {
    const Window window = Window::parse("default");
    EXPECT_FALSE(window.isWaitOver(0, Window::kLongestWaitNs - 1));
    EXPECT_TRUE(window.isWaitOver(0, Window::kLongestWaitNs));
    EXPECT_FALSE(window.isWaitOver(1, Window::kLongestWaitNs));
}

TEST(WindowTest, StepsRecordsExactlyThoseSteps) {
    const Window window = Window::parse("steps:3:5");
    EXPECT_FALSE(window.opensAtStart(false));
    EXPECT_FALSE(window.isOpenAfter(2));
    EXPECT_TRUE(window.isOpenAfter(3));
    EXPECT_TRUE(window.isOpenAfter(4));
    EXPECT_FALSE(window.isOpenAfter(5));
    EXPECT_TRUE(Window::parse("steps:0:1").opensAtStart(true));
    EXPECT_FALSE(window.isWaitOver(0, Window::kLongestWaitNs));
}

TEST(WindowTest, AllIsAlwaysOpen) {
    const Window window = Window::parse("all");
    EXPECT_TRUE(window.opensAtStart(true));
    EXPECT_TRUE(window.isOpenAfter(1000000));
}

TEST(WindowTest, NonsenseIsTheDefault) {
    for (const char* text : {"steps:5:3", "steps:x:y", "", "steps:4"}) {
        EXPECT_FALSE(Window::parse(text).isOpenAfter(3)) << text;
        EXPECT_TRUE(Window::parse(text).isOpenAfter(20)) << text;
    }
}

} // namespace tacho
