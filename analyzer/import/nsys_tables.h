// SPDX-License-Identifier: Apache-2.0
// The tables that tacho's files and the exports of Nsight Systems have in common.
#pragma once

#include "analyzer/import/nccl_calls.h"
#include "analyzer/import/sqlite_file.h"

namespace tacho {

void readGpuOps(SqliteFile& file);
void readApiCalls(SqliteFile& file);
[[nodiscard]] NcclCalls readNvtx(SqliteFile& file); ///< and what NCCL tells by its ranges
void readSyncs(SqliteFile& file);
void readOverheads(SqliteFile& file);
void readMemoryEvents(SqliteFile& file);

/// Names of the processes and threads that the tables before have brought, and what their GPUs are. If no GPU
/// was used, the devices are those that the file lists.
void readMachine(SqliteFile& file);
/// Why something was not collected, as Nsight Systems tells it.
void readDiagnostics(SqliteFile& file);

} // namespace tacho
