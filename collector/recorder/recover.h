// SPDX-License-Identifier: Apache-2.0
// Makes the trace file from the spool that a killed recorder, or a full disk, left behind.
#pragma once

#include <filesystem>

namespace tacho {

/// Converts everything in `spoolDirectory` ("x.sqlite.spool") to a new trace file beside it and removes the
/// directory. Returns the file: x.sqlite, or x-2.sqlite ... where that exists. Throws Error: not a spool
/// directory, still being written by a recorder or a process, or the file cannot be made.
[[nodiscard]] std::filesystem::path recover(const std::filesystem::path& spoolDirectory);

} // namespace tacho
