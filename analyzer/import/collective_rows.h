// SPDX-License-Identifier: Apache-2.0
// The table TACHO_COLLECTIVES, read and written.
#pragma once

#include "analyzer/import/global_ids.h"
#include "analyzer/import/sqlite_file.h"

namespace tacho {

void readCollectives(SqliteFile& file);
void writeCollectives(const Trace& trace, const GlobalIds& ids, const Database& db);

} // namespace tacho
