// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/cli/program.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <sstream>

namespace tacho {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

void expectOneScreen(const std::string& text) {
    const auto lines = linesOf(text);
    EXPECT_LE(lines.size(), 30U);
    for (const auto& line : lines)
        EXPECT_LE(line.size(), 100U) << line;
}

// Help and version -----------------------------------------------------------------------------------------

class Help : public testing::TestWithParam<std::string> {};

TEST_P(Help, GoesToStdoutFitsOnOneScreenAndEndsWithAnExample) {
    const auto outcome = runTacho({GetParam(), "--help"});
    EXPECT_EQ(outcome.status, 0);
    EXPECT_THAT(outcome.err, IsEmpty());
    EXPECT_THAT(outcome.out, HasSubstr("Usage: tacho " + GetParam()));
    EXPECT_THAT(outcome.out, HasSubstr("Example:\n  tacho " + GetParam()));
    expectOneScreen(outcome.out);
}

INSTANTIATE_TEST_SUITE_P(OfEachSubcommand, Help,
                         testing::Values("record", "report", "stats", "import", "ctl", "recover"),
                         [](const auto& info) { return info.param; });

TEST(Tacho, HelpNamesEverySubcommandAndFitsOnOneScreen) {
    const auto outcome = runTacho({"--help"});
    EXPECT_EQ(outcome.status, 0);
    for (const auto* name : {"record", "report", "stats", "import", "ctl", "recover"})
        EXPECT_THAT(outcome.out, HasSubstr(std::string("\n  ") + name));
    expectOneScreen(outcome.out);
}

TEST(Tacho, TellsItsVersion) {
    const auto outcome = runTacho({"--version"});
    EXPECT_EQ(outcome.status, 0);
    EXPECT_THAT(outcome.out, testing::MatchesRegex("tacho [0-9]+\\.[0-9]+\\.[0-9]+\n"));
}

// Wrong usage ----------------------------------------------------------------------------------------------

void expectUsageError(const Words& arguments, const std::string& hint) {
    const auto outcome = runTacho(arguments);
    EXPECT_EQ(outcome.status, 2) << testing::PrintToString(arguments);
    EXPECT_THAT(outcome.out, IsEmpty());
    EXPECT_THAT(outcome.err, StartsWith("tacho: "));
    EXPECT_THAT(linesOf(outcome.err), SizeIs(1));
    EXPECT_THAT(outcome.err, HasSubstr(hint));
}

TEST(Tacho, WithoutArgumentsShowsItsHelpOnStderrAndFails) {
    const auto outcome = runTacho({});
    EXPECT_EQ(outcome.status, 2);
    EXPECT_THAT(outcome.out, IsEmpty());
    EXPECT_THAT(outcome.err, HasSubstr("Usage: tacho"));
}

TEST(Tacho, WrongUsageEndsWithStatus2AndAHint) {
    expectUsageError({"report"}, "tacho report --help");
    expectUsageError({"report", "--format", "yaml", "x.sqlite"}, "--format");
    expectUsageError({"stats"}, "tacho stats --help");
    expectUsageError({"stats", "kernels"}, "no file to read");
    expectUsageError({"stats", "x.sqlite", "--format", "csv"}, "name one report");
    expectUsageError({"import", "x.json"}, "tacho import --help");
    expectUsageError({"recover"}, "tacho recover --help");
    expectUsageError({"record"}, "no command");
    expectUsageError({"record", "--"}, "no command");
    expectUsageError({"record", "--steps", "5:5", "--", "true"}, "A < B");
    expectUsageError({"record", "--steps", "5", "true"}, "A:B");
    expectUsageError({"record", "--steps", "-1:5", "true"}, "A:B");
    expectUsageError({"record", "--all", "--steps", "1:2", "true"}, "--all");
    expectUsageError({"record", "--every", "5", "--", "true"}, "310 steps");
    expectUsageError({"record", "--steps", "1:9", "--every", "7", "--", "true"}, "8 steps");
    expectUsageError({"record", "--steps", "1:9", "--delay", "7", "--", "true"}, "--delay");
    expectUsageError({"record", "--capture-range", "loop", "--", "true"}, "nvtx:NAME");
    expectUsageError({"record", "--detail", "much", "--", "true"}, "--detail");
    expectUsageError({"ctl", "pause", "1"}, "start");
    expectUsageError({"--frobnicate", "true"}, "--frobnicate is not an option of tacho");
}

// Files that cannot be used ---------------------------------------------------------------------------------

void expectUnusable(const Words& arguments, const std::string& file) {
    const auto outcome = runTacho(arguments);
    EXPECT_EQ(outcome.status, 3) << testing::PrintToString(arguments);
    EXPECT_THAT(outcome.out, IsEmpty());
    EXPECT_THAT(outcome.err, StartsWith("tacho: "));
    EXPECT_THAT(outcome.err, HasSubstr(file));
    EXPECT_THAT(linesOf(outcome.err), SizeIs(1)) << outcome.err;
}

class UnusableFile : public testing::TestWithParam<const char*> {};

TEST_P(UnusableFile, EndsEverySubcommandWithStatus3AndOneSentence) {
    const Workplace workplace;
    workplace.write("empty file.sqlite", "");
    workplace.write("foreign.sqlite", std::string(5000, '\x7f'));
    workplace.write("cut.sqlite", "SQLite format 3");
    workplace.write("cut.json", smallKinetoTrace().substr(0, 100));
    workplace.write("other.json", "{\"a\": [1, 2, 3]}");
    const std::string file = GetParam();
    expectUnusable({"report", file}, file);
    expectUnusable({"stats", file, "kernels"}, file);
    expectUnusable({"import", file, "-o", "out.sqlite"}, file);
    EXPECT_FALSE(exists(workplace.folder() / "out.sqlite"));
}

INSTANTIATE_TEST_SUITE_P(OfEachKind, UnusableFile,
                         testing::Values("absent.sqlite", "empty file.sqlite", "foreign.sqlite", "cut.sqlite",
                                         "cut.json", "other.json"));

// Traces
// -----------------------------------------------------------------------------------------------------

TEST(Stats, PrintsCsvOfOneReport) {
    const Workplace workplace;
    const auto outcome =
        runTacho({"stats", workplace.write("t.json", smallKinetoTrace()), "kernels", "--format", "csv"});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.out,
              "Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Name\r\n"
              "100.0,80000,2,40000.0,40000.0,30000,50000,14142.1,\"gemm<float, 4>(float*)\"\r\n");
}

TEST(Stats, PrintsJsonKeyedByTheReportsAskedFor) {
    const Workplace workplace;
    const auto file = workplace.write("t.json", smallKinetoTrace());
    const auto outcome = runTacho({"stats", file, "cuda_gpu_kern_sum", "memory", "--format", "json"});
    const auto json = nlohmann::json::parse(outcome.out);
    EXPECT_EQ(json.size(), 2U);
    EXPECT_EQ(json["cuda_gpu_kern_sum"][0]["Instances"], 2);
    EXPECT_EQ(json["memory"][0]["Operation"], "[CUDA memcpy Host-to-Device]");
}

TEST(Stats, ShowsAllThreeTablesOfAFileWithSpacesInItsPath) {
    const Workplace workplace;
    const auto outcome = runTacho({"stats", workplace.write("my first trace.json", smallKinetoTrace())});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    for (const auto* title : {"Kernels by GPU time", "Copies and sets", "CUDA calls"})
        EXPECT_THAT(outcome.out, HasSubstr(title));
}

TEST(Stats, KeepsWithin80ColumnsOfATerminal) {
    const Workplace workplace;
    const auto file = workplace.write("t.json", smallKinetoTrace());
    for (const auto* report : {"kernels", "memory", "memory_time", "memory_size", "api"})
        for (const auto& line : linesOf(runTachoOnTerminal(80, {"stats", file, report}).out))
            EXPECT_LE(line.size(), 80U) << line;
}

TEST(Stats, WritesNumbersWithAPointInAGermanLocale) {
    const Workplace workplace;
    const auto file = workplace.write("t.json", smallKinetoTrace());
    const auto plain = runTacho({"stats", file, "kernels", "--format", "csv"});
    const auto german = runTacho({"stats", file, "kernels", "--format", "csv"}, {"LC_ALL=de_DE.UTF-8"});
    EXPECT_EQ(german.out, plain.out);
}

TEST(Stats, SaysWhenItsOutputCannotBeWritten) {
    const Workplace workplace;
    const auto file = workplace.write("t.json", smallKinetoTrace());
    const auto quoted = std::string(TACHO_PROGRAM) + " stats " + file + " kernels >/dev/full 2>err";
    EXPECT_EQ(WEXITSTATUS(std::system(quoted.c_str())), 3);
}

TEST(Report, IsOneJsonDocumentOfTheVersionThatScriptsKnow) {
    const Workplace workplace;
    const auto outcome =
        runTacho({"report", workplace.write("t.json", smallKinetoTrace()), "--format", "json"});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    const auto json = nlohmann::json::parse(outcome.out);
    EXPECT_EQ(json["tacho"]["report_format"], 1);
    EXPECT_EQ(json["capture"]["source"], "kineto");
}

TEST(Report, IsWrittenToAFileAsAPage) {
    const Workplace workplace;
    const auto file = workplace.write("t.json", smallKinetoTrace());
    const auto outcome = runTacho({"report", file, "--format", "html", "-o", "t.html"});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    std::ostringstream page;
    page << std::ifstream(workplace.folder() / "t.html").rdbuf();
    EXPECT_THAT(page.str(), StartsWith("<!DOCTYPE html>"));
    EXPECT_THAT(page.str(), EndsWith("</html>\n"));
}

TEST(Report, SaysWhenItsFileCannotBeWritten) {
    const Workplace workplace;
    const auto file = workplace.write("t.json", smallKinetoTrace());
    const auto outcome = runTacho({"report", file, "-o", "missing/t.txt"});
    EXPECT_EQ(outcome.status, 3);
    EXPECT_THAT(outcome.err, HasSubstr("missing/t.txt: cannot be written"));
}

TEST(Report, IsColouredOnATerminalOnly) {
    const Workplace workplace;
    const auto file = workplace.write("t.json", smallKinetoTrace());
    EXPECT_THAT(runTachoOnTerminal(80, {"report", file}, {"TERM=xterm"}).out, HasSubstr("\x1b["));
    EXPECT_THAT(runTacho({"report", file}).out, Not(HasSubstr("\x1b[")));
    for (const auto* plain : {"NO_COLOR=1", "TERM=dumb"})
        EXPECT_THAT(runTachoOnTerminal(80, {"report", file}, {"TERM=xterm", plain}).out,
                    Not(HasSubstr("\x1b[")))
            << plain;
}

TEST(Report, KeepsWithin80ColumnsOfATerminal) {
    const Workplace workplace;
    const auto file = workplace.write("t.json", smallKinetoTrace());
    for (const auto& line : linesOf(runTachoOnTerminal(80, {"report", file}, {"NO_COLOR=1"}).out))
        EXPECT_LE(std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xc0) != 0x80; }), 80)
            << line;
}

} // namespace
} // namespace tacho
