// SPDX-License-Identifier: Apache-2.0
// The door through which every capture comes in, whoever recorded it.
#pragma once

#include "analyzer/import/progress.h"
#include "analyzer/model/trace.h"

#include <string>
#include <vector>

namespace tacho {

/// Reads one session: a file, several files (one per rank), or a folder of them. Reads tacho's own files,
/// SQLite exports of Nsight Systems and JSON traces of the PyTorch profiler, told apart by what is in them
/// and not by their names. Files of one session share a clock: SQLite files of several machines are brought
/// to that of the first file by their UTC start times.
///
/// Big files are opened from a cache the second time, see trace_cache.h.
///
/// What could not be read or was dropped is in Trace::health. Throws Error (InputUnusable) if there is
/// nothing that can be used; of a folder, a file that cannot be read is left out and noted, unless all are
/// so.
[[nodiscard]] Trace openTrace(const std::vector<std::string>& paths, const Progress& progress = {});

} // namespace tacho
