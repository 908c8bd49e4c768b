// SPDX-License-Identifier: Apache-2.0
// What the system knows of a recorded process.
#pragma once

#include "collector/inject/spool_format.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace tacho {

struct ProcessIdentity {
    std::string commandLine; ///< secrets hidden; empty: not known
    std::string name;        ///< of the program, without its folder; empty: not known
};

/// Whether the process that made a spool file still runs (a zombie does not). Not fooled by a later process
/// with the same id.
[[nodiscard]] bool isRunning(const spool::FileHeader& process);

/// Asks /proc while the process runs, and keeps the answer beside the spool file for the case that the
/// recorder dies; afterwards reads what was kept.
[[nodiscard]] ProcessIdentity identityOf(const spool::FileHeader& process,
                                         const std::filesystem::path& spoolFile);

} // namespace tacho
