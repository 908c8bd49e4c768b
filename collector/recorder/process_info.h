// SPDX-License-Identifier: Apache-2.0
// Whether a recorded process still lives.
#pragma once

#include "collector/inject/spool_format.h"

namespace tacho {

/// Whether the process that made a spool file still runs (a zombie does not). Not fooled by a later process
/// with the same id.
[[nodiscard]] bool isRunning(const spool::FileHeader& process);

} // namespace tacho
