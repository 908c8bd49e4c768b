// SPDX-License-Identifier: Apache-2.0
#include "analyzer/report/table.h"
#include "tests/unit/cli/program.h"

#include <gmock/gmock.h>

namespace tacho {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

Table kernelTable() {
    return {"kernels",
            "Kernels",
            {{"Time", Unit::Percent},
             {"Total Time", Unit::Nanoseconds},
             {"Instances"},
             {"Med", Unit::Nanoseconds, true},
             {"StdDev", Unit::Nanoseconds, true},
             {"Name"}},
            {{75.0, std::int64_t{12'345'678}, std::int64_t{3}, 500.5, 1234.56, std::string("gemm<float, 4>")},
             {25.0, std::int64_t{900}, std::int64_t{1}, 900.0, 0.0, std::string("say \"hi\"")}}};
}

TEST(TableAsCsv, TitlesCarryUnitsAndFieldsAreQuotedWhereNeeded) {
    EXPECT_EQ(tableAsCsv(kernelTable()), "Time (%),Total Time (ns),Instances,Med (ns),StdDev (ns),Name\r\n"
                                         "75.0,12345678,3,500.5,1234.6,\"gemm<float, 4>\"\r\n"
                                         "25.0,900,1,900.0,0.0,\"say \"\"hi\"\"\"\r\n");
}

TEST(TableAsCsv, ALineBreakInAFieldIsQuoted) {
    EXPECT_EQ(tableAsCsv({"t", "T", {{"Name"}}, {{std::string("a\nb")}}}), "Name\r\n\"a\nb\"\r\n");
}

TEST(TableAsCsv, AnEmptyTableIsItsHeader) {
    EXPECT_EQ(tableAsCsv({"t", "T", {{"Size", Unit::Megabytes}, {"Name"}}, {}}), "Size (MB),Name\r\n");
}

TEST(TableAsJson, RowsAreObjectsWithNumbersAsNumbers) {
    const auto rows = tableAsJson(kernelTable());
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0]["Total Time (ns)"], 12'345'678);
    EXPECT_DOUBLE_EQ(rows[0]["StdDev (ns)"].get<double>(), 1234.56);
    EXPECT_EQ(nlohmann::json::parse(rows.dump())[1]["Name"], "say \"hi\"");
}

TEST(TableAsJson, AnEmptyTableIsAnEmptyArray) {
    EXPECT_EQ(tableAsJson({"t", "T", {{"Name"}}, {}}).dump(), "[]");
}

TEST(TableAsText, QuantitiesHaveReadableUnitsAndNumbersAreAlignedRight) {
    EXPECT_EQ(tableAsText(kernelTable(), std::nullopt),
              "Kernels\n"
              "Time (%)  Total Time  Instances     Med   StdDev  Name\n"
              "--------  ----------  ---------  ------  -------  --------------\n"
              "    75.0    12.35 ms          3  500 ns  1.23 us  gemm<float, 4>\n"
              "    25.0      900 ns          1  900 ns     0 ns  say \"hi\"\n");
}

TEST(TableAsText, AnEmptyTableSaysSo) {
    EXPECT_EQ(tableAsText({"t", "Kernels", {{"Name"}}, {}}, 80), "Kernels\n(none in this capture)\n");
}

TEST(TableAsText, NoLineIsWiderThanTheTerminal) {
    auto table = kernelTable();
    table.rows[0].back() = std::string(300, 'x');
    for (std::size_t width = 50; width < 120; ++width)
        for (const auto& line : linesOf(tableAsText(table, width)))
            EXPECT_LE(line.size(), width) << line;
}

TEST(TableAsText, ANarrowTerminalDropsTheLeastTellingColumnsAndSaysSo) {
    auto table = kernelTable();
    table.rows[0].back() = std::string(300, 'x');
    const auto text = tableAsText(table, 70);
    EXPECT_THAT(linesOf(text)[1], Not(HasSubstr("StdDev")));
    EXPECT_THAT(linesOf(text)[3], HasSubstr("xxx..."));
    EXPECT_THAT(linesOf(text).back(), StartsWith("(1 more column in"));
}

TEST(TableAsText, WithoutATerminalNothingIsCut) {
    auto table = kernelTable();
    table.rows[0].back() = std::string(300, 'x');
    EXPECT_THAT(tableAsText(table, std::nullopt), HasSubstr(std::string(300, 'x')));
}

TEST(TableAsText, ANameIsCutBetweenCharactersNotBytes) {
    std::string umlauts;
    for (int i = 0; i < 100; ++i)
        umlauts += "\xc3\xa4";
    const auto text = tableAsText({"t", "T", {{"Name"}}, {{umlauts}}}, 41);
    EXPECT_EQ(linesOf(text)[3], umlauts.substr(0, 76) + "...");
}

TEST(TableAsText, ControlCharactersOfANameDoNotReachTheTerminal) {
    const auto text = tableAsText({"t", "T", {{"Name"}}, {{std::string("evil\x1b[2Jname\n")}}}, 80);
    EXPECT_THAT(text, HasSubstr("evil [2Jname"));
    EXPECT_THAT(text, Not(HasSubstr("\x1b")));
}

} // namespace
} // namespace tacho
