// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/cli/program.h"

#include <gmock/gmock.h>

namespace tacho {
namespace {

using testing::HasSubstr;

TEST(Export, WritesATimelineThatReadsTheSameAndAFolderOfTables) {
    const Workplace workplace;
    const auto file = workplace.write("t.json", smallKinetoTrace());
    const auto chrome = runTacho({"export", file, "--to", "chrome", "-o", "out.json.gz"});
    EXPECT_EQ(chrome.status, 0) << chrome.err;
    EXPECT_EQ(runTacho({"stats", "out.json.gz", "--format", "json"}).out,
              runTacho({"stats", file, "--format", "json"}).out);
    const auto csv = runTacho({"export", file, "--to", "csv", "-o", "tables"});
    EXPECT_EQ(csv.status, 0) << csv.err;
    for (const auto* table : {"cuda_gpu_trace.csv", "cuda_api_trace.csv", "nvtx_sum.csv", "steps.csv"})
        EXPECT_TRUE(exists(workplace.folder() / "tables" / table)) << table;
}

TEST(Export, DoesNotOverwriteAFile) {
    const Workplace workplace;
    const auto file = workplace.write("t.json", smallKinetoTrace());
    workplace.write("precious.json", "mine");
    const auto outcome = runTacho({"export", file, "--to", "chrome", "-o", "precious.json"});
    EXPECT_EQ(outcome.status, 3);
    EXPECT_THAT(outcome.err, HasSubstr("precious.json"));
    EXPECT_EQ(file_size(workplace.folder() / "precious.json"), 4U);
}

} // namespace
} // namespace tacho
