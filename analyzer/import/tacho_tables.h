// SPDX-License-Identifier: Apache-2.0
// The tables that only tacho's own files have.
#pragma once

#include "analyzer/import/sqlite_file.h"

namespace tacho {

/// Throws Error if the file is of a newer format than this tacho knows. Notes a recording that did not end.
[[nodiscard]] std::string readTachoMeta(SqliteFile& file);

/// Whether `tacho import` wrote it, not a recording.
[[nodiscard]] bool isFileOfImport(SqliteFile& file);

/// Processes, steps, windows, calibration, facts, collectives, health, loaded and compiled code. After the
/// tables that name processes.
void readTachoTables(SqliteFile& file);

void readLoadedCode(SqliteFile& file);
void readFrameworkMemory(SqliteFile& file);

/// Notes that the driver had to compile: what it was given was not made for the GPU. After the GPUs are
/// known.
void noteCompiledCode(SqliteFile& file);

} // namespace tacho
