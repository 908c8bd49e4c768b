// SPDX-License-Identifier: Apache-2.0
#include "analyzer/cli/report.h"

#include "analyzer/cli/command_line.h"
#include "analyzer/cli/load.h"
#include "analyzer/report/json_report.h"
#include "analyzer/report/text_report.h"

#include <algorithm>

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

} // namespace

std::string describeFiles(const std::vector<std::string>& files, std::optional<Stream> shownOn) {
    const auto trace = loadTrace(files);
    return textReport(trace, analyse(trace), shownOn ? styleFor(*shownOn) : TextReportStyle());
}

int runReport(const Arguments& arguments) {
    std::vector<std::string> files;
    std::string format = "text";
    const auto app = makeCommandLine(
        {"report", "tacho report [OPTIONS] FILE...",
         "Says what limits the steps of a recorded training, where their time goes, what to change,\n"
         "and what is wrong with the capture. Several files, or a folder, are the ranks of one training.",
         "tacho report run.sqlite"});
    app->add_option("FILE", files, "traces of tacho, Nsight Systems (.sqlite) or PyTorch")->required();
    app->add_option("--format", format, "text, or json for programs [text]")
        ->type_name("FORMAT")
        ->check(CLI::IsMember({"text", "json"}));
    if (!parse(*app, arguments))
        return 0;
    if (format == "text") {
        writeToStdout(describeFiles(files, Stream::Stdout));
        return 0;
    }
    const auto trace = loadTrace(files);
    writeToStdout(jsonReport(trace, analyse(trace)));
    return 0;
}

} // namespace tacho
