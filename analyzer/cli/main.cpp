// SPDX-License-Identifier: Apache-2.0
// The `tacho` program: chooses the subcommand, and is where its errors end.
#include "analyzer/cli/subcommands.h"
#include "analyzer/cli/terminal.h"
#include "analyzer/model/error.h"

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <string_view>

namespace tacho {
namespace {

struct Subcommand {
    std::string_view name;
    std::string_view purpose;
    int (*run)(const Arguments& arguments);
};

constexpr std::array kSubcommands{
    Subcommand{"record", "record a command, print no report", runRecord},
    Subcommand{"report", "say what limits a recorded training, and what to change", runReport},
    Subcommand{"stats", "list kernels, copies and CUDA calls as table, CSV or JSON", runStats},
    Subcommand{"import", "turn traces of Nsight Systems or PyTorch into a tacho file", runImport},
    Subcommand{"export", "write a timeline for Perfetto, or all tables as CSV", runExport},
    Subcommand{"ctl", "start or stop the recording of a running command", runCtl},
    Subcommand{"doctor", "say whether recording works on this machine, and how to mend it", runDoctor},
    Subcommand{"recover", "rescue the trace of a recording that was killed", runRecover},
};

std::string help() {
    std::string list;
    for (const auto& subcommand : kSubcommands)
        list += fmt::format("  {:<10}{}\n", subcommand.name, subcommand.purpose);
    return fmt::format(
        "Records a training, and tells where the time of its steps goes and what to change.\n"
        "Usage: tacho [OPTIONS] COMMAND...   record COMMAND, then print the report\n"
        "       tacho SUBCOMMAND ...\n\n"
        "Subcommands (each has --help):\n{}\n"
        "Options:\n"
        "  -h, --help  print this and exit\n"
        "  --version   print the version and exit\n"
        "  Those of `tacho record` may stand before COMMAND; what follows COMMAND is its own.\n\n"
        "The report goes to stderr: stdout belongs to COMMAND. A command that is called like a\n"
        "subcommand is recorded by `tacho record -- stats`. The exit status is that of COMMAND;\n"
        "of the subcommands 0, 2 (wrong usage), 3 (a file or this machine cannot be used).\n\n"
        "Example:\n"
        "  tacho python train.py --lr 0.1\n",
        list);
}

int run(const Arguments& words) {
    if (words.empty()) {
        fmt::print(stderr, "{}", help());
        return static_cast<int>(ExitStatus::Usage);
    }
    if (words[0] == "--help" || words[0] == "-h") {
        writeToStdout(help());
        return 0;
    }
    if (words[0] == "--version") {
        writeToStdout("tacho " TACHO_VERSION "\n");
        return 0;
    }
    for (const auto& subcommand : kSubcommands)
        if (words[0] == subcommand.name)
            return subcommand.run(Arguments(words.begin() + 1, words.end()));
    return runCommand(words);
}

} // namespace
} // namespace tacho

int main(int argc, char** argv) {
    try {
        return tacho::run(tacho::Arguments(argv + 1, argv + argc));
    } catch (const tacho::Error& error) {
        tacho::say(error.what());
        return static_cast<int>(error.status());
    } catch (const std::exception& error) {
        tacho::say(fmt::format("this is a fault of tacho itself, please report it: {}", error.what()));
        return static_cast<int>(tacho::ExitStatus::InputUnusable);
    }
}
