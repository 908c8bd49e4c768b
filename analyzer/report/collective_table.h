// SPDX-License-Identifier: Apache-2.0
// Collectives as a table of `tacho stats`.
#pragma once

#include "analyzer/model/trace.h"
#include "analyzer/report/table.h"

namespace tacho {

/// A row per row of summariseCollectives(). What is not known is empty.
[[nodiscard]] Table collectiveTable(const Trace& trace);

} // namespace tacho
