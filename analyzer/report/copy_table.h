// SPDX-License-Identifier: Apache-2.0
// Copies by direction and kind of memory as tables of `tacho stats`.
#pragma once

#include "analyzer/model/trace.h"
#include "analyzer/report/table.h"

namespace tacho {

/// A row per row of summariseCopies().
[[nodiscard]] Table copyTable(const Trace& trace);
/// A row per row of uploadSizes().
[[nodiscard]] Table uploadTable(const Trace& trace);

} // namespace tacho
