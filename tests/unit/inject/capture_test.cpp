// SPDX-License-Identifier: Apache-2.0
// When recording goes on and off, with a CUPTI that only notes it.
#include "collector/inject/capture.h"
#include "collector/inject/cupti_source.h"
#include "tests/unit/inject/fake_cupti.h"
#include "tests/unit/inject/spool_contents.h"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <memory>
#include <thread>
#include <vector>

namespace tacho {
namespace {

class CaptureTest : public testing::Test {
  protected:
    void SetUp() override {
        FakeCupti::reset();
        ASSERT_TRUE(m_file->create(m_directory.path()));
        ASSERT_TRUE(m_log->reserve());
        ASSERT_EQ(setenv(spool::kDirectoryVariable, m_directory.path(), 1), 0);
    }
    void TearDown() override {
        unsetenv(spool::kDirectoryVariable);
        unsetenv(spool::kWindowVariable);
    }
    void begin(const char* window) {
        ASSERT_EQ(setenv(spool::kWindowVariable, window, 1), 0);
        m_capture->reset(*m_log);
        ASSERT_EQ(cuptiSource().attach(FakeCupti::api(), *m_file, CuptiSource::Detail::Calls), nullptr);
    }
    void say(const char* command) {
        std::ofstream(std::string(m_directory.path()) + "/" + spool::kControlFile) << command << '\n';
    }
    static bool isOn() { return FakeCupti::kinds.contains(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL); }
    std::vector<spool::Window> changes() {
        m_log->drain(*m_file);
        m_file->flush();
        return SpoolContents(m_directory.onlyFile()).all<spool::Window>(spool::RecordType::Window);
    }

    SpoolDirectory m_directory;
    std::unique_ptr<SpoolFile> m_file = std::make_unique<SpoolFile>();
    std::unique_ptr<EventLog> m_log = std::make_unique<EventLog>();
    std::unique_ptr<Capture> m_capture = std::make_unique<Capture>();
};

TEST_F(CaptureTest, KeepsTheNameOfItsRangeWhenTheProcessWritesOverItsEnvironment) {
    std::string variable = std::string(spool::kWindowVariable) + "=range:nvtx:epoch";
    ASSERT_EQ(putenv(variable.data()), 0);
    m_capture->reset(*m_log);
    std::memset(&variable[variable.find("epoch")], 'x', 5);
    EXPECT_STREQ(m_capture->rangeName(), "epoch");
}

TEST_F(CaptureTest, StepsSwitchRecordingOnAndOffAndSayWhichChangeIsTheLast) {
    begin("steps:1:3:every:4");
    m_capture->cudaCame();
    std::string on;
    for (std::uint64_t ended = 1; ended <= 8; ++ended) {
        m_capture->stepEnded(ended);
        on += isOn() ? 'o' : '.';
    }
    EXPECT_EQ(on, "oo..oo..");
    begin("steps:1:3");
    m_capture->cudaCame();
    m_capture->stepEnded(1);
    m_capture->stepEnded(3);
    const auto seen = changes();
    ASSERT_EQ(seen.size(), 6U);
    EXPECT_EQ(seen[3].isLast, 0) << "it comes again";
    EXPECT_EQ(seen[4].isOpen, 1);
    EXPECT_EQ(seen[5].isOpen, 0);
    EXPECT_EQ(seen[5].isLast, 1);
}

TEST_F(CaptureTest, ARangeOfTheNameIsRecordedAlsoWhereItBeganBeforeCudaCame) {
    begin("range:nvtx:epoch");
    EXPECT_STREQ(m_capture->rangeName(), "epoch");
    m_capture->rangeBegan();
    EXPECT_FALSE(isOn()) << "CUDA has not come yet";
    m_capture->cudaCame();
    EXPECT_TRUE(isOn());
    m_capture->rangeBegan(); // on another thread
    m_capture->rangeEnded();
    EXPECT_TRUE(isOn());
    m_capture->rangeEnded();
    EXPECT_FALSE(isOn());
}

TEST_F(CaptureTest, ProfilerCallsCountOnlyWhereTheWindowWaitsForThem) {
    begin("range:cudaProfilerApi");
    m_capture->cudaCame();
    m_capture->profilerApiCalled(true);
    EXPECT_TRUE(isOn());
    m_capture->profilerApiCalled(false);
    EXPECT_FALSE(isOn());
    begin("steps:5:6");
    m_capture->cudaCame();
    m_capture->profilerApiCalled(true);
    EXPECT_FALSE(isOn());
}

TEST_F(CaptureTest, TheControlFileOverridesTheWindow) {
    begin("steps:1:100");
    m_capture->cudaCame();
    say("start");
    m_capture->poll();
    EXPECT_TRUE(isOn());
    m_capture->stepEnded(1);
    say("stop");
    m_capture->poll();
    EXPECT_FALSE(isOn());
    m_capture->stepEnded(2);
    EXPECT_FALSE(isOn()) << "the window would be open, but the user said stop";
    say("nonsense");
    m_capture->poll();
    EXPECT_TRUE(isOn()) << "no command: the window counts again";
}

TEST_F(CaptureTest, AProcessThatStartsLaterFindsTheCommandThatWasGivenBefore) {
    say("start");
    begin("range:ctl");
    m_capture->cudaCame();
    EXPECT_TRUE(isOn());
}

TEST_F(CaptureTest, NothingIsRecordedAfterItWasClosed) {
    begin("all");
    m_capture->cudaCame();
    ASSERT_TRUE(isOn());
    m_capture->close();
    EXPECT_FALSE(isOn());
    say("start");
    m_capture->poll();
    m_capture->stepEnded(1);
    EXPECT_FALSE(isOn());
    EXPECT_EQ(changes().back().isLast, 1);
}

TEST_F(CaptureTest, ThreadsThatSwitchAtOnceLeaveWhatWasDecidedLast) {
    begin("range:nvtx:x");
    m_capture->cudaCame();
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([this] {
            for (int i = 0; i < 500; ++i) {
                m_capture->rangeBegan();
                m_capture->rangeEnded();
            }
        });
    for (std::thread& thread : threads)
        thread.join();
    m_capture->poll();
    EXPECT_FALSE(isOn());
    bool expected = true;
    for (const spool::Window& change : changes()) {
        EXPECT_EQ(change.isOpen != 0, expected) << "on and off take turns";
        expected = !expected;
    }
}

} // namespace
} // namespace tacho
