// SPDX-License-Identifier: Apache-2.0
// Sets of points in time, kept as disjoint intervals: the arithmetic under every duration tacho reports.
#pragma once

#include "analyzer/model/time.h"

#include <algorithm>
#include <cassert>
#include <optional>
#include <span>
#include <vector>

namespace tacho {

/// Invariant: the intervals are sorted, half-open, not empty, and neither overlap nor touch. Empty intervals
/// vanish when added: they hold no time.
class IntervalSet {
  public:
    IntervalSet() = default;

    /// The union of intervals in any order, overlapping or not. O(n log n); O(n) if sorted by start.
    [[nodiscard]] static IntervalSet unite(std::vector<Interval> intervals);

    /// Adds an interval. REQUIRES that it starts no earlier than the one added last. O(1).
    void append(Interval interval);

    /// Room for so many intervals. What is not used costs addresses, no memory; growing costs copies.
    void reserve(std::size_t intervals) { m_intervals.reserve(intervals); }

    [[nodiscard]] std::span<const Interval> intervals() const { return m_intervals; }
    [[nodiscard]] bool empty() const { return m_intervals.empty(); }
    [[nodiscard]] DurationNs totalLength() const;
    [[nodiscard]] bool contains(TimeNs time) const; ///< O(log n)
    /// How much of `window` is in the set. O(log n + intervals in the window).
    [[nodiscard]] DurationNs coveredLength(Interval window) const;
    /// The first of the longest; absent if the set is empty.
    [[nodiscard]] std::optional<Interval> longest() const;

    // All linear in the intervals of both sides.
    [[nodiscard]] IntervalSet unionWith(const IntervalSet& other) const;
    [[nodiscard]] IntervalSet intersection(const IntervalSet& other) const;
    [[nodiscard]] IntervalSet subtraction(const IntervalSet& other) const;
    [[nodiscard]] IntervalSet clipped(Interval to) const;
    /// What of `within` is not in the set.
    [[nodiscard]] IntervalSet gaps(Interval within) const;

    bool operator==(const IntervalSet&) const = default;

  private:
    std::vector<Interval> m_intervals;
};

/// The part of `interval` inside `to`; empty (at a point inside `to`) if they do not meet.
[[nodiscard]] Interval clip(Interval interval, Interval to);

inline void IntervalSet::append(Interval interval) {
    assert(interval.start <= interval.end);
    if (interval.start == interval.end)
        return;
    if (m_intervals.empty() || interval.start > m_intervals.back().end) {
        m_intervals.push_back(interval);
        return;
    }
    Interval& last = m_intervals.back();
    assert(interval.start >= last.start);
    last.end = std::max(last.end, interval.end);
}

} // namespace tacho
