// SPDX-License-Identifier: Apache-2.0
#include "analyzer/cli/command_line.h"
#include "analyzer/cli/load.h"
#include "analyzer/cli/terminal.h"
#include "analyzer/import/save_trace.h"
#include "analyzer/model/error.h"

#include <fmt/format.h>

#include <filesystem>

namespace tacho {

int runImport(const Arguments& arguments) {
    std::vector<std::string> files;
    std::string output;
    const auto app = makeCommandLine(
        {"import", "tacho import FILE... -o OUT.sqlite",
         "Reads the traces of one session, one file per rank or a folder of them, and writes them\n"
         "as one tacho file, which opens faster and is read by scripts made for Nsight Systems.",
         "tacho import rank0.json.gz rank1.json.gz -o run.sqlite"});
    addTraceFiles(*app, files);
    app->add_option("-o,--output", output, "file to write; must not exist")
        ->type_name("OUT.sqlite")
        ->required();
    if (!parse(*app, arguments))
        return 0;
    if (std::filesystem::exists(output))
        throw Error(fmt::format("{}: exists already; name another file, or remove it", output));
    const auto trace = loadTrace(files);
    saveTrace(trace, output);
    writeToStdout(fmt::format("Wrote {}; see tacho report {}\n", output, shellWord(output)));
    return 0;
}

} // namespace tacho
