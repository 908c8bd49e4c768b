// SPDX-License-Identifier: Apache-2.0
// The report as it is shown after a recording and by `tacho report`.
#pragma once

#include "analyzer/cli/terminal.h"

#include <optional>
#include <string>
#include <vector>

namespace tacho {

/// Reads, analyses and describes the traces of one session, in the width and colours of where it is shown;
/// absent: in a file.
[[nodiscard]] std::string describeFiles(const std::vector<std::string>& files, std::optional<Stream> shownOn);

/// Throws Error.
void writeReport(const std::string& path, const std::string& report);

} // namespace tacho
