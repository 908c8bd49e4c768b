// SPDX-License-Identifier: Apache-2.0
#include "analyzer/cli/command_line.h"

#include "analyzer/cli/terminal.h"
#include "analyzer/model/error.h"

#include <fmt/format.h>

namespace tacho {
namespace {

/// CLI11's help with the usage in our words: its own cannot tell what a subcommand leaves to the command.
class HelpFormatter : public CLI::Formatter {
  public:
    explicit HelpFormatter(std::string usage) : m_usage(std::move(usage)) { column_width(28); }
    std::string make_usage(const CLI::App* /*app*/, std::string /*name*/) const override {
        return "Usage: " + m_usage + "\n";
    }
    /// Whether an option is required or excludes another is in the usage.
    std::string make_option_opts(const CLI::Option* option) const override {
        return option->get_positional() ? "" : " " + option->get_type_name();
    }

  private:
    std::string m_usage;
};

} // namespace

std::unique_ptr<CLI::App> makeCommandLine(const HelpTexts& texts) {
    auto app = std::make_unique<CLI::App>(texts.purpose, "tacho " + texts.name);
    app->formatter(std::make_shared<HelpFormatter>(texts.usage));
    app->set_help_flag("-h,--help", "print this and exit");
    app->footer("Example:\n  " + texts.example);
    return app;
}

void addTraceFiles(CLI::App& commandLine, std::vector<std::string>& files) {
    commandLine.add_option("FILE", files, "traces of tacho, Nsight Systems (.sqlite) or PyTorch")->required();
}

bool parse(CLI::App& commandLine, const Arguments& arguments) {
    try {
        commandLine.parse(Arguments(arguments.rbegin(), arguments.rend())); // CLI11 takes them from the back
        return true;
    } catch (const CLI::CallForHelp&) {
        writeToStdout(commandLine.help());
        return false;
    } catch (const CLI::ParseError& problem) {
        throw Error(fmt::format("{}; see {} --help", problem.what(), commandLine.get_name()),
                    ExitStatus::Usage);
    }
}

} // namespace tacho
