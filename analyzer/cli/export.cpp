// SPDX-License-Identifier: Apache-2.0
#include "analyzer/cli/command_line.h"
#include "analyzer/cli/load.h"
#include "analyzer/cli/subcommands.h"
#include "analyzer/cli/terminal.h"
#include "analyzer/import/export_chrome.h"
#include "analyzer/import/output_file.h"
#include "analyzer/model/error.h"
#include "analyzer/report/stats_table.h"

#include <fmt/format.h>

#include <filesystem>

namespace tacho {

namespace {

/// One file per table of `tacho stats`, in a folder that is there as a whole or not at all.
void exportCsv(const Trace& trace, const std::filesystem::path& folder) {
    const std::filesystem::path partial = folder.string() + ".partial";
    std::error_code error;
    std::filesystem::remove_all(partial, error); // a rest of an export that was killed
    if (!std::filesystem::create_directory(partial, error))
        throw Error(fmt::format("{}: cannot be made: {}", partial.string(), error.message()));
    try {
        for (const StatsReport& report : statsReports()) {
            const std::string_view name = report.nsightName.empty() ? report.name : report.nsightName;
            OutputFile file((partial / fmt::format("{}.csv", name)).string());
            file.write(tableAsCsv(report.make(trace)));
            file.finish();
        }
        std::filesystem::rename(partial, folder, error);
        if (error)
            throw Error(fmt::format("{}: cannot be written: {}", folder.string(), error.message()));
    } catch (const Error&) {
        std::filesystem::remove_all(partial, error);
        throw;
    }
}

} // namespace

int runExport(const Arguments& arguments) {
    std::vector<std::string> files;
    std::string output;
    std::string format;
    const auto app = makeCommandLine(
        {"export", "tacho export FILE... --to FORMAT -o OUT",
         "Writes traces for other programs:\n"
         "  chrome  a timeline for Perfetto (ui.perfetto.dev), as the PyTorch profiler writes it;\n"
         "          compressed if OUT ends in .gz\n"
         "  csv     a folder OUT with each table of tacho stats as a CSV file",
         "tacho export run.sqlite --to chrome -o run.json.gz"});
    addTraceFiles(*app, files);
    app->add_option("--to", format, "chrome or csv")
        ->type_name("FORMAT")
        ->check(CLI::IsMember({"chrome", "csv"}))
        ->required();
    app->add_option("-o,--output", output, "file or folder to write; must not exist")
        ->type_name("OUT")
        ->required();
    if (!parse(*app, arguments))
        return 0;
    if (std::filesystem::exists(output))
        throw Error(fmt::format("{}: exists already; name another, or remove it", output));
    const auto trace = loadTrace(files);
    if (format == "chrome")
        exportChrome(trace, output);
    else
        exportCsv(trace, output);
    writeToStdout(fmt::format("Wrote {}\n", output));
    return 0;
}

} // namespace tacho
