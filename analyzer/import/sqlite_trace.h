// SPDX-License-Identifier: Apache-2.0
// Reads SQLite traces: tacho's own files, and exports of Nsight Systems (schemas 2.9 to 3.28).
#pragma once

#include "analyzer/import/file_kind.h"
#include "analyzer/import/progress.h"
#include "analyzer/model/trace.h"

namespace tacho {

/// Appends the file's rows to the trace, unsorted. Any table or column may be missing. Throws Error if the
/// file is cut short, is another program's, or is of a newer format.
FileSummary readSqlite(Trace& trace, const std::string& path, const Progress& progress);

} // namespace tacho
