// SPDX-License-Identifier: Apache-2.0
// Which training steps of tacho's own files were profiled.
#include "analyzer/import/open_trace.h"
#include "analyzer/sqlite/schema.h"
#include "analyzer/sqlite/sqlite.h"
#include "tests/unit/temporary_folder.h"

#include <gmock/gmock.h>

namespace tacho {
namespace {

TEST(TachoSteps, AStepThatTheWindowMerelyTouchesRanUnprofiled) {
    const test::TemporaryFolder folder;
    const std::string path = folder / "run.sqlite";
    {
        Database db(path, Database::Mode::Create);
        db.execute(std::string(embedded::schemaSql));
        // The window closes 800 ns after the end of its last step, as captures on an H200 show.
        db.execute("INSERT INTO TACHO_META VALUES ('end_utc_ns', '1');"
                   "INSERT INTO TACHO_WINDOWS VALUES (16777216, 100000, 300800);"
                   "INSERT INTO TACHO_STEPS VALUES (16777216, 16777217, 1, 0, 100100),"
                   "    (16777216, 16777217, 2, 100100, 200000), (16777216, 16777217, 3, 200000, 300000),"
                   "    (16777216, 16777217, 4, 300000, 400000);");
    }
    std::vector<std::int64_t> profiled;
    for (const StepMark& step : openTrace({path}).steps)
        if (step.profiled)
            profiled.push_back(step.index);
    EXPECT_THAT(profiled, testing::ElementsAre(2, 3));
}

} // namespace
} // namespace tacho
