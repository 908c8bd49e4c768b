// SPDX-License-Identifier: Apache-2.0
// The tables GPU_METRICS and TARGET_INFO_GPU_METRICS, read and written.
#pragma once

#include "analyzer/import/sqlite_file.h"

namespace tacho {

/// Counters of the GPUs that processes of the file have used; those of the others are left out. REQUIRES that
/// all tables that name devices were read.
void readCounters(SqliteFile& file);

/// Numbers GPUs as the trace numbers its devices.
void writeCounters(const Trace& trace, const Database& db);

} // namespace tacho
