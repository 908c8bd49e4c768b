// SPDX-License-Identifier: Apache-2.0
#include "analyzer/metrics/range_tree.h"

#include <algorithm>
#include <unordered_map>

namespace tacho {
namespace {

/// The open ranges of a thread, outermost first.
class OpenRanges {
  public:
    explicit OpenRanges(const Ranges& ranges) : m_ranges(ranges) {}

    void closeUntil(TimeNs time) {
        std::erase_if(m_rows, [&](std::uint32_t row) { return m_ranges.end[row] <= time; });
    }
    void open(std::uint32_t row) { m_rows.push_back(row); }
    /// The innermost one that ends no earlier.
    [[nodiscard]] std::uint32_t around(TimeNs end) const {
        const auto found = std::find_if(m_rows.rbegin(), m_rows.rend(),
                                        [&](std::uint32_t row) { return m_ranges.end[row] >= end; });
        return found == m_rows.rend() ? kNoRow : *found;
    }

  private:
    const Ranges& m_ranges;
    std::vector<std::uint32_t> m_rows;
};

} // namespace

RangeTree buildRangeTree(const Trace& trace, std::initializer_list<RangeKind> kinds) {
    const Ranges& ranges = trace.ranges;
    const ApiCalls& calls = trace.apiCalls;
    RangeTree tree{std::vector<std::uint32_t>(ranges.size(), kNoRow),
                   std::vector<std::uint32_t>(ranges.size()), std::vector<std::uint32_t>(ranges.size()),
                   std::vector<std::uint32_t>(calls.size(), kNoRow)};
    std::unordered_map<ThreadIndex, OpenRanges> threads;
    const auto openOf = [&](ThreadIndex thread, TimeNs now) -> OpenRanges& {
        OpenRanges& open = threads.try_emplace(thread, ranges).first->second;
        open.closeUntil(now);
        return open;
    };
    std::size_t call = 0;
    const auto placeCallsBefore = [&](TimeNs time) {
        for (; call < calls.size() && calls.start[call] < time; ++call)
            tree.innermost[call] = openOf(calls.thread[call], calls.start[call]).around(calls.start[call]);
    };
    for (std::size_t row = 0; row < ranges.size(); ++row) {
        if (std::find(kinds.begin(), kinds.end(), ranges.kind[row]) == kinds.end())
            continue;
        placeCallsBefore(ranges.start[row]);
        OpenRanges& open = openOf(ranges.thread[row], ranges.start[row]);
        const std::uint32_t parent = open.around(ranges.end[row]);
        tree.parent[row] = parent;
        if (parent != kNoRow) {
            tree.level[row] = tree.level[parent] + 1;
            ++tree.children[parent];
        }
        open.open(static_cast<std::uint32_t>(row));
    }
    placeCallsBefore(TimeNs::max());
    return tree;
}

} // namespace tacho
