// SPDX-License-Identifier: Apache-2.0
// What main() chooses from: one function per subcommand, each in the file of its name.
#pragma once

#include <string>
#include <vector>

namespace tacho {

/// The words after the subcommand's name.
using Arguments = std::vector<std::string>;

// Each returns the exit status and throws Error: ExitStatus::Usage for wrong arguments.
int runCommand(const Arguments& arguments); ///< `tacho COMMAND...`: record, then report on stderr
int runRecord(const Arguments& arguments);
int runReport(const Arguments& arguments);
int runStats(const Arguments& arguments);
int runImport(const Arguments& arguments);
int runExport(const Arguments& arguments);
int runCtl(const Arguments& arguments);
int runRecover(const Arguments& arguments);
int runDoctor(const Arguments& arguments);

} // namespace tacho
