// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/cli/program.h"

#include <gmock/gmock.h>

namespace tacho {
namespace {

using testing::HasSubstr;

TEST(Import, WritesAFileThatReadsTheSame) {
    const Workplace workplace;
    const auto file = workplace.write("t.json", smallKinetoTrace());
    const auto imported = runTacho({"import", file, "-o", "imported trace.sqlite"});
    EXPECT_EQ(imported.status, 0) << imported.err;
    EXPECT_THAT(imported.out, HasSubstr("tacho report 'imported trace.sqlite'"));
    EXPECT_EQ(runTacho({"stats", "imported trace.sqlite", "--format", "json"}).out,
              runTacho({"stats", file, "--format", "json"}).out);
}

TEST(Import, DoesNotOverwriteAFile) {
    const Workplace workplace;
    const auto file = workplace.write("t.json", smallKinetoTrace());
    workplace.write("precious.sqlite", "mine");
    const auto outcome = runTacho({"import", file, "-o", "precious.sqlite"});
    EXPECT_EQ(outcome.status, 3);
    EXPECT_THAT(outcome.err, HasSubstr("precious.sqlite"));
    EXPECT_EQ(file_size(workplace.folder() / "precious.sqlite"), 4U);
}

} // namespace
} // namespace tacho
