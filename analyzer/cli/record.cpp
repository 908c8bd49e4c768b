// SPDX-License-Identifier: Apache-2.0
#include "collector/recorder/record.h"

#include "analyzer/cli/command_line.h"
#include "analyzer/cli/report.h"
#include "analyzer/cli/terminal.h"
#include "analyzer/cli/window_options.h"
#include "analyzer/model/error.h"

#include <fmt/format.h>

#include <csignal>

namespace tacho {
namespace {

/// The command to record: what is left after tacho's own options. A leading "--" ends those.
Arguments commandOf(const CLI::App& commandLine) {
    auto words = commandLine.remaining();
    const bool isMarked = !words.empty() && words[0] == "--";
    if (isMarked)
        words.erase(words.begin());
    if (words.empty())
        throw Error("there is no command to record; see tacho record --help", ExitStatus::Usage);
    if (!isMarked && words[0].front() == '-')
        throw Error(fmt::format("{} is not an option of tacho; see tacho record --help", words[0]),
                    ExitStatus::Usage);
    return words;
}

/// Absent: help was asked for.
std::optional<RecordOptions> parseOptions(const Arguments& arguments) {
    RecordOptions options;
    std::string output, detail, cupti;
    WindowOptions window;
    const auto app = makeCommandLine(
        {"record", "tacho record [OPTIONS] [--] COMMAND...",
         "Records a command, with all processes that it starts, into one trace file. By default\n"
         "10 steps are skipped, then 5 run unrecorded and 5 recorded in turn, until 50 are recorded;\n"
         "a program without training steps is recorded from start to end.",
         "tacho record -o run.sqlite --steps 100:120 -- python train.py --lr 0.1"});
    app->prefix_command();
    app->add_option("-o,--output", output, "trace file; must not exist [named after COMMAND]")
        ->type_name("FILE");
    window.addTo(*app);
    app->add_option("--detail", detail,
                    "calls, or kernels: without CUDA calls, which costs less but\n"
                    "leaves idle time unexplained [calls]")
        ->type_name("D")
        ->check(CLI::IsMember({"calls", "kernels"}).description(""));
    app->add_option("--cuda-graph", options.cudaGraph,
                    "of CUDA graphs record each kernel (node), or each launch as\n"
                    "one (graph), which costs less [node]")
        ->type_name("LEVEL")
        ->check(CLI::IsMember({"node", "graph"}).description(""));
    app->add_option("--max-size", options.maxBytes,
                    "a process that has written so much stops recording [2GB]")
        ->type_name("SIZE")
        ->transform(CLI::AsSizeValue(true).description(""));
    app->add_option("--cupti", cupti, "CUPTI library to record GPU activity with [searched]")
        ->type_name("FILE");
    app->add_flag("--counters", options.counters,
                  "sample what SMs, tensor cores, memory, PCIe and NVLink of the GPUs do");
    app->add_flag("-q,--quiet", options.quiet, "say nothing, unless something is wrong");
    if (!parse(*app, arguments))
        return std::nullopt;
    options.command = commandOf(*app);
    if (!output.empty())
        options.output = output;
    options.window = window.text();
    options.onlyKernels = detail == "kernels";
    const bool isFile = cupti.find('/') != std::string::npos; // else it is looked for as other libraries are
    if (!cupti.empty())
        options.cupti = isFile ? std::filesystem::absolute(cupti).string() : cupti;
    return options;
}

/// As short as it can be said from here.
std::string shownPath(const std::filesystem::path& file) {
    const auto below = file.lexically_relative(std::filesystem::current_path());
    return below.empty() || *below.begin() == ".." ? file.string() : below.string();
}

/// Where the report waits for a training that goes on, or is killed later: run.sqlite -> run.report.txt
std::filesystem::path reportFileOf(std::filesystem::path file) {
    return file.replace_extension(".report.txt");
}

void reportWindow(const std::filesystem::path& trace, const std::filesystem::path& file) {
    const auto reportFile = reportFileOf(file);
    writeReport(shownPath(reportFile), describeFiles({trace.string()}, std::nullopt));
    say(fmt::format("the recorded window is over and the training goes on; its report: {}",
                    shownPath(reportFile)));
}

/// The training is over and its exit status is what counts: a report that fails is a sentence, no more.
void reportAfterwards(const std::filesystem::path& file) {
    try {
        if (std::filesystem::exists(reportFileOf(file)))
            writeReport(shownPath(reportFileOf(file)), describeFiles({file.string()}, std::nullopt));
        writeToStderr(describeFiles({file.string()}, Stream::Stderr));
    } catch (const std::exception& error) {
        say(fmt::format("there is no report: {}", error.what()));
    }
}

enum class Afterwards { Nothing, Report };

int recordAndShow(const Arguments& arguments, Afterwards afterwards) {
    auto options = parseOptions(arguments);
    if (!options)
        return 0;
    if (afterwards == Afterwards::Report && !options->quiet)
        options->onWindowOver = reportWindow;
    const auto result = record(*options);
    // From here on only the exit status of the training can be lost: a stderr that nobody reads must not end
    // us.
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
    if (!result.problem.empty())
        say(result.problem);
    if (!result.file || options->quiet)
        return result.exitStatus;
    const auto file = shownPath(*result.file);
    if (afterwards == Afterwards::Report)
        reportAfterwards(*result.file);
    say(fmt::format("recorded {} events; to see the report again: tacho report {}", result.events,
                    shellWord(file)));
    return result.exitStatus;
}

} // namespace

int runCommand(const Arguments& arguments) {
    return recordAndShow(arguments, Afterwards::Report);
}

int runRecord(const Arguments& arguments) {
    return recordAndShow(arguments, Afterwards::Nothing);
}

} // namespace tacho
