// SPDX-License-Identifier: Apache-2.0
#include "collector/recorder/record.h"

#include "analyzer/cli/command_line.h"
#include "analyzer/cli/report.h"
#include "analyzer/cli/terminal.h"
#include "analyzer/model/error.h"

#include <fmt/format.h>

#include <charconv>
#include <csignal>

namespace tacho {
namespace {

/// Empty: right. Else what is wrong, for CLI11.
std::string checkSteps(const std::string& text) {
    unsigned long first = 0, end = 0;
    const char* const stop = text.data() + text.size();
    const auto left = std::from_chars(text.data(), stop, first);
    if (left.ec != std::errc{} || left.ptr == stop || *left.ptr != ':')
        return text + " is not of the form A:B";
    const auto right = std::from_chars(left.ptr + 1, stop, end);
    if (right.ec != std::errc{} || right.ptr != stop || first >= end)
        return text + " is not of the form A:B with A < B";
    return {};
}

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
    std::string output, steps;
    bool everything = false;
    const auto app = makeCommandLine(
        {"record", "tacho record [OPTIONS] [--] COMMAND...",
         "Records a command, with all processes that it starts, into one trace file. By default\n"
         "the window is: skip 10 steps, time 10 without recording, record 50, then let go;\n"
         "a program without training steps is recorded from start to end.",
         "tacho record -o run.sqlite --steps 100:120 -- python train.py --lr 0.1"});
    app->prefix_command();
    app->add_option("-o,--output", output, "trace file; must not exist [named after COMMAND]")
        ->type_name("FILE");
    auto* all = app->add_flag("--all", everything, "record from start to end");
    app->add_option("--steps", steps, "record steps A to B-1, counted from 0")
        ->type_name("A:B")
        ->check(checkSteps)
        ->excludes(all);
    app->add_option("--cuda-graph", options.cudaGraph,
                    "of CUDA graphs record each kernel (node), or a launch as one, which costs less\n"
                    "but does not tell what ran in it (graph) [node]")
        ->type_name("LEVEL")
        ->check(CLI::IsMember({"node", "graph"}).description(""));
    app->add_option("--max-size", options.maxBytes,
                    "a process that has written so much stops recording [2GB]")
        ->type_name("SIZE")
        ->transform(CLI::AsSizeValue(true).description(""));
    app->add_flag("-q,--quiet", options.quiet, "say nothing, unless something is wrong");
    if (!parse(*app, arguments))
        return std::nullopt;
    options.command = commandOf(*app);
    if (!output.empty())
        options.output = output;
    if (everything)
        options.window = "all";
    else if (!steps.empty())
        options.window = "steps:" + steps;
    return options;
}

/// The training is over and its exit status is what counts: a report that fails is a sentence, no more.
void reportAfterwards(const std::string& file) {
    try {
        writeToStderr(describeFiles({file}, Stream::Stderr));
    } catch (const std::exception& error) {
        say(fmt::format("there is no report: {}", error.what()));
    }
}

/// As short as it can be said from here.
std::string shownPath(const std::filesystem::path& file) {
    const auto below = file.lexically_relative(std::filesystem::current_path());
    return below.empty() || *below.begin() == ".." ? file.string() : below.string();
}

enum class Afterwards { Nothing, Report };

int recordAndShow(const Arguments& arguments, Afterwards afterwards) {
    const auto options = parseOptions(arguments);
    if (!options)
        return 0;
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
        reportAfterwards(file);
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
