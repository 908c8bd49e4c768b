// SPDX-License-Identifier: Apache-2.0
#include "analyzer/metrics/range_tree.h"

#include "tests/unit/trace_builder.h"

#include <gtest/gtest.h>

#include <random>

namespace tacho {
namespace {

using test::trace;
using test::TraceBuilder;
using namespace std::chrono_literals;

std::string nameOf(const Trace& t, std::uint32_t range) {
    return range == kNoRow ? "" : std::string(t.text(t.ranges.name[range]));
}

TEST(RangeTree, WorkBelongsToTheInnermostRangeAroundItsLaunch) {
    const Trace t = trace()
                        .range(RangeKind::Nvtx, "step", 0us, 1000us)
                        .range(RangeKind::Nvtx, "forward", 100us, 200us)
                        .kernel("in", 500us, 10us, 300us) // launched from 195 to 200 us
                        .kernel("after", 600us, 10us)
                        .build();
    const RangeTree tree = buildRangeTree(t, {RangeKind::Nvtx});
    const std::uint32_t forward = tree.launcherOf(t, 0);
    EXPECT_EQ(nameOf(t, forward), "forward");
    EXPECT_EQ(nameOf(t, tree.parent[forward]), "step");
    EXPECT_EQ(tree.level[forward], 1U);
    EXPECT_EQ(tree.children[tree.parent[forward]], 1U);
    EXPECT_EQ(nameOf(t, tree.launcherOf(t, 1)), "step");
}

TEST(RangeTree, RangesThatMerelyOverlapAreNotParentAndChild) {
    const Trace t = trace()
                        .range(RangeKind::NvtxStartEnd, "first", 0us, 100us)
                        .range(RangeKind::NvtxStartEnd, "second", 50us, 100us)
                        .build();
    const RangeTree tree = buildRangeTree(t, {RangeKind::NvtxStartEnd});
    EXPECT_EQ(tree.parent, (std::vector<std::uint32_t>{kNoRow, kNoRow}));
}

TEST(RangeTree, LeavesOtherKindsAndOtherThreadsOut) {
    TraceBuilder builder = trace();
    builder.process(0, 2);
    builder.range(RangeKind::Operator, "aten::mm", 0us, 100us).range(RangeKind::Nvtx, "layer", 10us, 50us);
    builder.process(1, 2).kernel("gemm", 40us, 10us);
    const Trace t = builder.build();
    const RangeTree tree = buildRangeTree(t, {RangeKind::Nvtx});
    EXPECT_EQ(tree.parent, (std::vector<std::uint32_t>{kNoRow, kNoRow}));
    EXPECT_EQ(tree.launcherOf(t, 0), kNoRow) << "the range is of another process";
}

TEST(RangeTree, AgreesWithLookingAtAllRanges) {
    std::mt19937 random(11);
    const auto upTo = [&](int limit) { return static_cast<int>(random() % static_cast<unsigned>(limit)); };
    for (int round = 0; round < 100; ++round) {
        TraceBuilder builder = trace();
        for (int i = 0; i < 25; ++i)
            builder.range(RangeKind::NvtxStartEnd, "r" + std::to_string(i), upTo(100) * 1us,
                          (1 + upTo(60)) * 1us);
        for (int i = 0; i < 25; ++i)
            builder.call(ApiKind::Launch, "cudaLaunchKernel", upTo(150) * 1us, 1us);
        const Trace t = builder.build();
        const RangeTree tree = buildRangeTree(t, {RangeKind::NvtxStartEnd});
        for (std::size_t call = 0; call < t.apiCalls.size(); ++call) {
            std::uint32_t expected = kNoRow; // the last to open, of those that are open
            for (std::uint32_t row = 0; row < t.ranges.size(); ++row)
                if (t.ranges.start[row] <= t.apiCalls.start[call] &&
                    t.apiCalls.start[call] < t.ranges.end[row])
                    expected = row;
            EXPECT_EQ(tree.innermost[call], expected);
        }
    }
}

} // namespace
} // namespace tacho
