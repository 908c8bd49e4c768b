// SPDX-License-Identifier: Apache-2.0
#include "analyzer/report/module_table.h"
#include "tests/unit/trace_builder.h"

#include <gtest/gtest.h>

namespace tacho {
namespace {

using test::TraceBuilder;
using namespace std::chrono_literals;

/// The row of a module: own GPU time, GPU time, own work, instances.
struct Row {
    std::int64_t ownNs = 0, ns = 0, ownOps = 0, instances = 0;
    bool operator==(const Row&) const = default;
};

std::optional<Row> rowOf(const Table& table, const std::string& module) {
    const auto number = [](const Cell& cell) { return std::get<std::int64_t>(cell); };
    for (const auto& row : table.rows)
        if (std::get<std::string>(row.back()) == module)
            return Row{number(row[0]), number(row[1]), number(row[2]), number(row[4])};
    return std::nullopt;
}

TEST(ModuleTable, GivesWorkToTheInnermostModuleAndItsTimeToThoseAround) {
    TraceBuilder builder = test::trace();
    builder.range(RangeKind::Annotation, "nn.Module: Net_0", 0ms, 10ms)
        .range(RangeKind::Annotation, "nn.Module: Linear_0", 1ms, 3ms)
        .range(RangeKind::Annotation, "user's own range", 1500us, 2ms)
        .kernel("gemm", 2ms, 1ms)
        .kernel("relu", 5ms, 500us)
        .range(RangeKind::Annotation, "nn.Module: Linear_1", 6ms, 3ms)
        .kernel("gemm", 7ms, 2ms)
        .kernel("adam", 12ms, 3ms);
    const Table table = moduleTable(builder.build());
    EXPECT_EQ(rowOf(table, "nn.Module: Linear_0"), (Row{1'000'000, 1'000'000, 1, 1}));
    EXPECT_EQ(rowOf(table, "nn.Module: Net_0"), (Row{500'000, 3'500'000, 1, 1}));
    EXPECT_EQ(rowOf(table, "(in no module)"), (Row{3'000'000, 3'000'000, 1, 0}));
    EXPECT_EQ(rowOf(table, "user's own range"), std::nullopt);
    std::int64_t own = 0;
    for (const auto& row : table.rows)
        own += std::get<std::int64_t>(row[0]);
    EXPECT_EQ(own, 6'500'000) << "own times add up to all GPU work";
}

TEST(ModuleTable, TakesNvtxRangesThatArePathsInTheModel) {
    TraceBuilder builder = test::trace();
    for (int i = 0; i < 3; ++i)
        builder.range(RangeKind::Nvtx, "encoder.layers.3.attention", i * 10ms, 5ms)
            .range(RangeKind::Nvtx, "version 2.0", i * 10ms, 4ms)
            .kernel("flash_fwd", i * 10ms + 1ms, 1ms);
    const Table table = moduleTable(builder.build());
    ASSERT_EQ(table.rows.size(), 1U);
    EXPECT_EQ(rowOf(table, "encoder.layers.3.attention"), (Row{3'000'000, 3'000'000, 3, 3}));
}

TEST(ModuleTable, IsEmptyWhereNothingNamesModules) {
    TraceBuilder builder = test::trace();
    builder.range(RangeKind::Nvtx, "forward", 0ms, 5ms).kernel("gemm", 1ms, 1ms);
    EXPECT_TRUE(moduleTable(builder.build()).rows.empty());
}

} // namespace
} // namespace tacho
