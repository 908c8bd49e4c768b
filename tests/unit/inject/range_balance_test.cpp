// SPDX-License-Identifier: Apache-2.0
#include "collector/inject/range_balance.h"

#include <array>
#include <gtest/gtest.h>
#include <random>
#include <set>
#include <vector>

namespace tacho {
namespace {

/// A thread of a training, a log that may refuse records, and the recorder's pairing.
class Thread {
  public:
    void push(std::uint32_t domain, bool accepts) {
        const int range = ++m_lastRange;
        m_open[domain].push_back(range);
        const auto record = [&] {
            if (accepts)
                m_recorded[domain].push_back(range);
            return accepts;
        };
        m_balance.push(domain, record, [&](std::uint64_t) { return recordPop(domain, accepts); });
    }
    void pop(std::uint32_t domain, bool accepts) {
        if (m_open[domain].empty())
            return;
        m_ended.insert(m_open[domain].back());
        m_open[domain].pop_back();
        m_balance.pop(domain, 1, [&](std::uint64_t) { return recordPop(domain, accepts); });
    }
    [[nodiscard]] bool isOpen(std::uint32_t domain) const { return !m_open.at(domain).empty(); }
    [[nodiscard]] bool hasEnded(int range) const { return m_ended.contains(range); }
    /// Recorded ranges that the recorder has not seen end.
    [[nodiscard]] std::size_t endless(std::uint32_t domain) const { return m_recorded.at(domain).size(); }

    std::vector<int> paired; ///< ranges in the order in which the recorder saw them end; 0: it ended nothing

  private:
    bool recordPop(std::uint32_t domain, bool accepts) {
        std::vector<int>& recorded = m_recorded[domain];
        if (!accepts)
            return false;
        paired.push_back(recorded.empty() ? 0 : recorded.back());
        if (!recorded.empty())
            recorded.pop_back();
        return true;
    }
    int m_lastRange = 0;
    std::array<std::vector<int>, 4> m_recorded, m_open; ///< by domain
    std::set<int> m_ended;
    RangeBalance m_balance{};
};

TEST(RangeBalance, APopIsLostWithItsPush) {
    Thread thread;
    thread.push(0, true);
    thread.push(0, false);
    thread.pop(0, true);
    thread.pop(0, true);
    EXPECT_EQ(thread.paired, (std::vector<int>{1}));
}

TEST(RangeBalance, ALostPopIsMadeGoodBeforeTheNextPush) {
    Thread thread;
    thread.push(0, true);
    thread.pop(0, false);
    thread.push(0, true);
    EXPECT_EQ(thread.paired, (std::vector<int>{1}));
    thread.pop(0, true);
    EXPECT_EQ(thread.paired, (std::vector<int>{1, 2}));
}

TEST(RangeBalance, RangesInsideALostOneAreStillRecorded) {
    Thread thread;
    thread.push(0, false);
    thread.push(0, true);
    thread.pop(0, true);
    thread.pop(0, true);
    EXPECT_EQ(thread.paired, (std::vector<int>{2}));
}

TEST(RangeBalance, RecordedRangesEndOnlyWhenTheyDidWhateverIsLost) {
    std::mt19937 random(7);
    for (int run = 0; run < 300; ++run) {
        Thread thread;
        bool accepts = true;
        const unsigned deepening = 40 + random() % 30; // per cent of pushes: some runs go deeper than 64
        for (int i = 0; i < 1000; ++i) {
            if (random() % 8 == 0)
                accepts = !accepts;
            const std::uint32_t domain = random() % 4;
            if (random() % 100 < deepening)
                thread.push(domain, accepts);
            else
                thread.pop(domain, accepts);
            for (const int range : thread.paired)
                ASSERT_TRUE(range != 0 && thread.hasEnded(range)) << "run " << run << ", call " << i;
            thread.paired.clear();
        }
        for (std::uint32_t domain = 0; domain < 4; ++domain) {
            while (thread.isOpen(domain))
                thread.pop(domain, true);
            thread.push(domain, true); // settles what is still owed
            EXPECT_EQ(thread.endless(domain), 1U) << "run " << run;
        }
    }
}

} // namespace
} // namespace tacho
