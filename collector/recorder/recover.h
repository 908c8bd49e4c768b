// SPDX-License-Identifier: Apache-2.0
// Makes the trace file from the spool that a killed recorder, or a full disk, left behind.
#pragma once

#include "collector/recorder/capture_session.h"

#include <filesystem>

namespace tacho {

/// Converts everything in `spoolDirectory` ("x.sqlite.spool") to a new trace file beside it and removes the
/// directory. Returns the file: x.sqlite, or x-2.sqlite ... where that exists. Throws Error: not a spool
/// directory, still being written by a recorder or a process, or the file cannot be made.
[[nodiscard]] std::filesystem::path recover(const std::filesystem::path& spoolDirectory);

/// Writes a trace of what is in the spool by now to `file`, which must not exist. The spool stays as it is
/// and may grow meanwhile. Throws Error if the file cannot be made.
void convertSpool(const std::filesystem::path& spoolDirectory, const CaptureSession& session,
                  const std::filesystem::path& file);

} // namespace tacho
