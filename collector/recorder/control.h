// SPDX-License-Identifier: Apache-2.0
// Tells a running recording to record GPU activity, or not to.
#pragma once

#include <filesystem>

namespace tacho {

enum class Control { Start, Stop };

/// The spool directory of a recording, by the id of its `tacho` process or of any process that it records.
/// Throws Error: no such process, another user's, or none of tacho's.
[[nodiscard]] std::filesystem::path recordingOf(int pid, const std::filesystem::path& proc = "/proc");

/// All processes of the recording follow within 0.1 s; it overrides the window from then on. Throws Error if
/// the directory cannot be written.
void control(const std::filesystem::path& spoolDirectory, Control command);

} // namespace tacho
