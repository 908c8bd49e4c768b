// SPDX-License-Identifier: Apache-2.0
#include "collector/inject/event_log.h"
#include "tests/unit/inject/spool_contents.h"

#include <gtest/gtest.h>
#include <memory>
#include <thread>
#include <vector>

namespace tacho {

namespace {

void appendStep(EventLog& log, std::uint64_t index) {
    spool::StepEnd step{};
    step.header.type = static_cast<std::uint16_t>(spool::RecordType::StepEnd);
    step.threadId = EventLog::threadId();
    step.index = index;
    log.append(&step, sizeof step);
}

/// A log and a file to drain it into.
class EventLogTest : public testing::Test {
  protected:
    void SetUp() override {
        m_log.forgetThread(); // of the log of the test before
        ASSERT_TRUE(m_log.reserve());
        ASSERT_TRUE(m_file->create(m_directory.path()));
    }
    std::vector<spool::StepEnd> drainedSteps() {
        m_log.drain(*m_file);
        m_file->flush();
        return SpoolContents(m_directory.onlyFile()).all<spool::StepEnd>(spool::RecordType::StepEnd);
    }
    SpoolDirectory m_directory;
    std::unique_ptr<SpoolFile> m_file = std::make_unique<SpoolFile>();
    EventLog m_log;
};

} // namespace

TEST_F(EventLogTest, KeepsTheOrderOfAThreadAcrossFullChunks) {
    constexpr std::uint64_t kSteps = 10000; // several chunks
    for (std::uint64_t i = 0; i < kSteps; ++i)
        appendStep(m_log, i);
    const auto steps = drainedSteps();
    ASSERT_EQ(steps.size(), kSteps);
    for (std::uint64_t i = 0; i < kSteps; ++i)
        EXPECT_EQ(steps[i].index, i);
}

TEST_F(EventLogTest, ReusesChunksOfThreadsThatEnded) {
    constexpr int kThreads = 2000; // far more than there are chunks
    for (int t = 0; t < kThreads; ++t) {
        std::thread([this, t] { appendStep(m_log, static_cast<std::uint64_t>(t)); }).join();
        if (t % 100 == 0)
            m_log.drain(*m_file);
    }
    EXPECT_EQ(drainedSteps().size(), std::size_t{kThreads});
    EXPECT_EQ(m_log.dropped(), 0U);
}

TEST_F(EventLogTest, CountsEveryRecordOfManyThreadsAsWrittenOrDropped) {
    constexpr int kThreads = 8;
    constexpr std::uint64_t kEach = 50000;
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t)
        threads.emplace_back([this] {
            for (std::uint64_t i = 0; i < kEach; ++i)
                appendStep(m_log, i);
        });
    for (int i = 0; i < 100; ++i)
        m_log.drain(*m_file); // while they write
    for (std::thread& thread : threads)
        thread.join();
    EXPECT_EQ(drainedSteps().size() + m_log.dropped(), kThreads * kEach);
}

TEST_F(EventLogTest, KeepsTheOrderOfEachThreadWhileChunksAreReused) {
    constexpr int kThreads = 4;
    constexpr std::uint64_t kEach = 30000; // many chunks a thread, freed and taken again during the drains
    std::atomic<int> running{kThreads};
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t)
        threads.emplace_back([this, &running] {
            for (std::uint64_t i = 0; i < kEach; ++i)
                appendStep(m_log, i);
            --running;
        });
    while (running > 0)
        m_log.drain(*m_file);
    for (std::thread& thread : threads)
        thread.join();
    std::map<std::uint32_t, std::uint64_t> next;
    for (const spool::StepEnd& step : drainedSteps()) {
        EXPECT_GE(step.index, next[step.threadId]);
        next[step.threadId] = step.index + 1;
    }
    EXPECT_EQ(next.size(), std::size_t{kThreads});
}

TEST_F(EventLogTest, WritesDefinitionsBeforeTheRecordsThatUseThem) {
    spool::StringRecord text{};
    text.header.type = static_cast<std::uint16_t>(spool::RecordType::String);
    text.id = 1;
    text.textBytes = 5;
    appendStep(m_log, 0);
    m_log.define(&text, sizeof text, "hello", 5);
    m_log.drain(*m_file);
    m_file->flush();
    const SpoolContents contents(m_directory.onlyFile());
    ASSERT_EQ(contents.records.size(), 2U);
    EXPECT_EQ(SpoolContents::as<spool::RecordHeader>(contents.records[0]).type,
              static_cast<std::uint16_t>(spool::RecordType::String));
    EXPECT_EQ(contents.strings.at(1), "hello");
}

TEST_F(EventLogTest, SaysThatARecordWasDropped) {
    spool::StepEnd step{};
    step.header.type = static_cast<std::uint16_t>(spool::RecordType::StepEnd);
    std::uint64_t kept = 0;
    while (m_log.append(&step, sizeof step)) // nobody drains: all chunks fill up
        ++kept;
    EXPECT_EQ(m_log.dropped(), 1U);
    EXPECT_EQ(drainedSteps().size(), kept);
    EXPECT_TRUE(m_log.append(&step, sizeof step));
}

TEST_F(EventLogTest, TakesRecordsAgainEachTimeThatItWasFullAndIsDrained) {
    spool::NvtxEvent event{};
    std::uint64_t firstAppended = 0;
    for (int time = 0; time < 3; ++time) {
        std::uint64_t appended = 0;
        while (m_log.append(&event, sizeof event))
            ++appended;
        EXPECT_FALSE(m_log.append(&event, sizeof event));
        firstAppended = time == 0 ? appended : firstAppended;
        EXPECT_EQ(appended, firstAppended);
        m_log.drain(*m_file);
    }
    EXPECT_GT(firstAppended, 100'000U);
    EXPECT_EQ(m_log.dropped(), 6U);
}

} // namespace tacho
