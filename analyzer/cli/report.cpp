// SPDX-License-Identifier: Apache-2.0
#include "analyzer/cli/report.h"

#include "analyzer/cli/command_line.h"
#include "analyzer/cli/load.h"
#include "analyzer/model/error.h"
#include "analyzer/report/html_report.h"
#include "analyzer/report/json_report.h"
#include "analyzer/report/text_report.h"

#include <algorithm>
#include <charconv>
#include <fstream>

namespace tacho {
namespace {

constexpr std::size_t kLeastWidth = 60, kMostWidth = 120; // of a report that is easy to read

TextReportStyle styleFor(Stream shownOn) {
    TextReportStyle style;
    style.useColour = wantsColor(shownOn);
    if (const auto width = terminalWidth(shownOn))
        style.width = static_cast<int>(std::clamp(*width, kLeastWidth, kMostWidth));
    return style;
}

/// "A:B".
std::optional<StepRange> parseSteps(const std::string& text) {
    if (text.empty())
        return std::nullopt;
    StepRange range;
    const char* const end = text.data() + text.size();
    const auto first = std::from_chars(text.data(), end, range.first);
    const auto last = first.ptr != end && *first.ptr == ':'
                          ? std::from_chars(first.ptr + 1, end, range.last)
                          : std::from_chars_result{end, std::errc::invalid_argument};
    if (first.ec != std::errc() || last.ec != std::errc() || last.ptr != end || range.last < range.first)
        throw Error("--steps " + text + ": give the first and the last step, as in --steps 20:29",
                    ExitStatus::Usage);
    return range;
}

} // namespace

std::string describeFiles(const std::vector<std::string>& files, std::optional<Stream> shownOn) {
    const auto trace = loadTrace(files);
    return textReport(trace, analyse(trace), shownOn ? styleFor(*shownOn) : TextReportStyle());
}

void writeReport(const std::string& path, const std::string& report) {
    std::ofstream file(path, std::ios::binary);
    file << report;
    file.close();
    if (!file)
        throw Error(path + ": cannot be written; check the folder, its permissions and free space");
}

int runReport(const Arguments& arguments) {
    std::vector<std::string> files;
    std::string format = "text", output, steps;
    const auto app = makeCommandLine(
        {"report", "tacho report [OPTIONS] FILE...",
         "Says what limits the steps of a recorded training, where their time goes, what to change,\n"
         "and what is wrong with the capture. Several files, or a folder, are the ranks of one training.",
         "tacho report run.sqlite"});
    addTraceFiles(*app, files);
    app->add_option("--format", format, "text, html for browsers, or json for programs [text]")
        ->type_name("FORMAT")
        ->check(CLI::IsMember({"text", "html", "json"}));
    app->add_option("-o,--output", output, "write the report to this file")->type_name("OUT");
    app->add_option("--steps", steps, "analyse the steps A to B only [the recorded ones after warm-up]")
        ->type_name("A:B");
    if (!parse(*app, arguments))
        return 0;
    const auto range = parseSteps(steps);
    const auto trace = loadTrace(files);
    const auto analysis = analyse(trace, range);
    const std::string report =
        format == "json" ? jsonReport(trace, analysis)
        : format == "html"
            ? htmlReport(trace, analysis)
            : textReport(trace, analysis, output.empty() ? styleFor(Stream::Stdout) : TextReportStyle());
    if (output.empty())
        writeToStdout(report);
    else
        writeReport(output, report);
    return 0;
}

} // namespace tacho
