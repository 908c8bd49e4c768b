// SPDX-License-Identifier: Apache-2.0
#include "collector/recorder/recover.h"

#include "analyzer/cli/command_line.h"
#include "analyzer/cli/terminal.h"

#include <fmt/format.h>

namespace tacho {

int runRecover(const Arguments& arguments) {
    std::string directory;
    const auto app = makeCommandLine(
        {"recover", "tacho recover SPOOLDIR",
         "Makes the trace file from the folder that a recording left behind when tacho was killed\n"
         "or the disk was full, then removes the folder.",
         "tacho recover train.sqlite.spool"});
    app->add_option("SPOOLDIR", directory, "the folder, named after the trace file")->required();
    if (!parse(*app, arguments))
        return 0;
    const auto file = recover(directory).string();
    writeToStdout(fmt::format("Recovered into {}; see tacho report {}\n", file, shellWord(file)));
    return 0;
}

} // namespace tacho
