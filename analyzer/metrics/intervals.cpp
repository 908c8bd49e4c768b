// SPDX-License-Identifier: Apache-2.0
#include "analyzer/metrics/intervals.h"

#include <algorithm>

namespace tacho {

Interval clip(Interval interval, Interval to) {
    return {std::clamp(interval.start, to.start, to.end), std::clamp(interval.end, to.start, to.end)};
}

IntervalSet IntervalSet::unite(std::vector<Interval> intervals) {
    if (!std::is_sorted(intervals.begin(), intervals.end()))
        std::sort(intervals.begin(), intervals.end());
    std::size_t used = 0; // in place: a big trace has millions of them
    for (const Interval& interval : intervals) {
        if (interval.start == interval.end)
            continue;
        if (used > 0 && interval.start <= intervals[used - 1].end)
            intervals[used - 1].end = std::max(intervals[used - 1].end, interval.end);
        else
            intervals[used++] = interval;
    }
    intervals.resize(used);
    IntervalSet set;
    set.m_intervals = std::move(intervals);
    return set;
}

DurationNs IntervalSet::totalLength() const {
    DurationNs total{0};
    for (const Interval& interval : m_intervals)
        total += interval.length();
    return total;
}

bool IntervalSet::contains(TimeNs time) const {
    const auto after = std::partition_point(m_intervals.begin(), m_intervals.end(),
                                            [&](const Interval& each) { return each.end <= time; });
    return after != m_intervals.end() && after->start <= time;
}

DurationNs IntervalSet::coveredLength(Interval window) const {
    DurationNs length{0};
    for (auto each =
             std::partition_point(m_intervals.begin(), m_intervals.end(),
                                  [&](const Interval& interval) { return interval.end <= window.start; });
         each != m_intervals.end() && each->start < window.end; ++each)
        length += clip(*each, window).length();
    return length;
}

std::optional<Interval> IntervalSet::longest() const {
    if (empty())
        return std::nullopt;
    return *std::max_element(m_intervals.begin(), m_intervals.end(),
                             [](const Interval& a, const Interval& b) { return a.length() < b.length(); });
}

IntervalSet IntervalSet::unionWith(const IntervalSet& other) const {
    std::vector<Interval> all(m_intervals.size() + other.m_intervals.size());
    std::merge(m_intervals.begin(), m_intervals.end(), other.m_intervals.begin(), other.m_intervals.end(),
               all.begin());
    return unite(std::move(all));
}

IntervalSet IntervalSet::intersection(const IntervalSet& other) const {
    IntervalSet result;
    result.reserve(std::max(m_intervals.size(), other.m_intervals.size()));
    auto a = m_intervals.begin();
    auto b = other.m_intervals.begin();
    while (a != m_intervals.end() && b != other.m_intervals.end()) {
        const Interval common{std::max(a->start, b->start), std::min(a->end, b->end)};
        if (common.start < common.end)
            result.append(common);
        if (a->end < b->end)
            ++a;
        else
            ++b;
    }
    return result;
}

IntervalSet IntervalSet::subtraction(const IntervalSet& other) const {
    IntervalSet result;
    result.reserve(m_intervals.size() + other.m_intervals.size());
    auto hole = other.m_intervals.begin();
    for (Interval rest : m_intervals) {
        while (hole != other.m_intervals.end() && hole->end <= rest.start)
            ++hole;
        // A hole may reach into the next interval too, so this one is walked without moving `hole`.
        for (auto cut = hole; cut != other.m_intervals.end() && cut->start < rest.end; ++cut) {
            if (rest.start < cut->start)
                result.append({rest.start, cut->start});
            rest.start = std::min(cut->end, rest.end);
        }
        result.append(rest);
    }
    return result;
}

IntervalSet IntervalSet::clipped(Interval to) const {
    IntervalSet window;
    window.append(to);
    return intersection(window);
}

IntervalSet IntervalSet::gaps(Interval within) const {
    IntervalSet window;
    window.append(within);
    return window.subtraction(*this);
}

} // namespace tacho
