// SPDX-License-Identifier: Apache-2.0
// Reading traces for a person who waits in front of a terminal.
#pragma once

#include "analyzer/model/trace.h"

#include <string>
#include <vector>

namespace tacho {

/// openTrace(), with a progress line on stderr if that is a terminal and the reading takes more than a
/// moment.
[[nodiscard]] Trace loadTrace(const std::vector<std::string>& files);

} // namespace tacho
