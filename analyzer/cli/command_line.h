// SPDX-License-Identifier: Apache-2.0
// The one way in which all subcommands describe and parse their arguments.
#pragma once

#include "analyzer/cli/subcommands.h"

#include <CLI/CLI.hpp>

#include <memory>
#include <string>
#include <vector>

namespace tacho {

/// What the help of a subcommand says beside its options.
struct HelpTexts {
    std::string name;    ///< "report"
    std::string usage;   ///< "tacho report [OPTIONS] FILE..."
    std::string purpose; ///< sentences, in lines that fit a screen
    std::string example;
};

/// An empty command line with --help.
[[nodiscard]] std::unique_ptr<CLI::App> makeCommandLine(const HelpTexts& texts);

/// The traces of one session, at least one.
void addTraceFiles(CLI::App& commandLine, std::vector<std::string>& files);

/// Fills the variables bound to the options. False: help was asked for and is printed. Throws Error (Usage).
[[nodiscard]] bool parse(CLI::App& commandLine, const Arguments& arguments);

} // namespace tacho
