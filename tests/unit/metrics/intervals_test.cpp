// SPDX-License-Identifier: Apache-2.0
#include "analyzer/metrics/intervals.h"

#include <bitset>
#include <gtest/gtest.h>
#include <random>

namespace tacho {
namespace {

constexpr std::int64_t kTimes = 64;
using Model = std::bitset<kTimes>; ///< one bit per nanosecond: the definition of a set of times

Interval between(std::int64_t start, std::int64_t end) {
    return {timeFromNs(start), timeFromNs(end)};
}

void add(Model& model, Interval interval) {
    for (std::int64_t ns = toNs(interval.start); ns < toNs(interval.end); ++ns)
        model.set(static_cast<std::size_t>(ns));
}

Model modelOf(const IntervalSet& set) {
    Model model;
    for (const Interval& interval : set.intervals())
        add(model, interval);
    return model;
}

bool holdsInvariant(const IntervalSet& set) {
    const auto all = set.intervals();
    for (std::size_t i = 0; i < all.size(); ++i)
        if (all[i].start >= all[i].end || (i > 0 && all[i - 1].end >= all[i].start))
            return false;
    return true;
}

class Random {
  public:
    Interval interval() {
        const std::int64_t a = number(kTimes);
        const std::int64_t b = number(kTimes);
        return between(std::min(a, b), std::max(a, b));
    }
    std::vector<Interval> intervals() {
        std::vector<Interval> result;
        for (std::int64_t left = number(9); left > 0; --left) {
            const std::int64_t start = number(kTimes);
            result.push_back(between(start, std::min(kTimes, start + number(12)))); // empty ones too
        }
        return result;
    }

  private:
    std::int64_t number(std::int64_t most) {
        return std::uniform_int_distribution<std::int64_t>(0, most)(m_engine);
    }
    std::mt19937_64 m_engine{20220615};
};

TEST(Intervals, UniteMergesWhatOverlapsOrTouches) {
    const auto set = IntervalSet::unite({between(5, 8), between(0, 2), between(2, 3), between(6, 10)});
    ASSERT_EQ(set.intervals().size(), 2U);
    EXPECT_EQ(set.intervals()[0], between(0, 3));
    EXPECT_EQ(set.intervals()[1], between(5, 10));
    EXPECT_EQ(set.totalLength(), DurationNs{8});
}

TEST(Intervals, EmptyIntervalsHoldNoTime) {
    EXPECT_TRUE(IntervalSet::unite({between(3, 3), between(7, 7)}).empty());
}

TEST(Intervals, GapsOfNothingAreTheWholeWindow) {
    EXPECT_EQ(IntervalSet().gaps(between(2, 9)), IntervalSet::unite({between(2, 9)}));
}

TEST(Intervals, CoveredLengthIsThatOfTheClippedSet) {
    Random random;
    for (int round = 0; round < 2000; ++round) {
        const auto set = IntervalSet::unite(random.intervals());
        const Interval window = random.interval();
        EXPECT_EQ(set.coveredLength(window), set.clipped(window).totalLength());
    }
}

TEST(Intervals, ContainTheirStartsAndNotTheirEnds) {
    const auto set = IntervalSet::unite({between(2, 4), between(6, 7)});
    std::string inside;
    for (std::int64_t time = 0; time < 9; ++time)
        inside += set.contains(timeFromNs(time)) ? '1' : '0';
    EXPECT_EQ(inside, "001100100");
}

TEST(Intervals, AgreeWithABitPerNanosecondOnRandomSets) {
    Random random;
    for (int round = 0; round < 20'000; ++round) {
        const auto listA = random.intervals();
        const auto listB = random.intervals();
        const Interval window = random.interval();
        Model modelA;
        Model modelB;
        Model modelWindow;
        for (const Interval& interval : listA)
            add(modelA, interval);
        for (const Interval& interval : listB)
            add(modelB, interval);
        add(modelWindow, window);
        const auto a = IntervalSet::unite(listA);
        const auto b = IntervalSet::unite(listB);

        ASSERT_EQ(modelOf(a), modelA);
        ASSERT_EQ(static_cast<std::size_t>(a.totalLength().count()), modelA.count());
        ASSERT_EQ(modelOf(a.intersection(b)), modelA & modelB);
        ASSERT_EQ(modelOf(a.subtraction(b)), modelA & ~modelB);
        ASSERT_EQ(modelOf(a.clipped(window)), modelA & modelWindow);
        ASSERT_EQ(modelOf(a.gaps(window)), modelWindow & ~modelA);
        for (const IntervalSet& set :
             {a, a.intersection(b), a.subtraction(b), a.clipped(window), a.gaps(window)})
            ASSERT_TRUE(holdsInvariant(set));
    }
}

} // namespace
} // namespace tacho
