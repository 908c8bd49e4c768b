// SPDX-License-Identifier: Apache-2.0
// Reads JSON traces of the PyTorch profiler (Kineto), 2020 to today, NVIDIA and AMD.
#pragma once

#include "analyzer/import/file_kind.h"
#include "analyzer/import/progress.h"
#include "analyzer/model/trace.h"

namespace tacho {

/// Appends the file's rows to the trace, unsorted, as one process. The text is streamed: memory is that of
/// the rows, and an event that is broken is left out and counted in Trace::health. Throws Error if the file
/// is cut short, is not such a trace, or is of a newer format.
FileSummary readKineto(Trace& trace, const std::string& path, const Progress& progress);

} // namespace tacho
