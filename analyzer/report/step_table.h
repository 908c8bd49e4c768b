// SPDX-License-Identifier: Apache-2.0
// Steps and idle time as tables of `tacho stats`. Each row is of one device.
#pragma once

#include "analyzer/model/trace.h"
#include "analyzer/report/table.h"

namespace tacho {

/// A row per recorded step: its time, and the time of each class that any step has.
[[nodiscard]] Table stepTable(const Trace& trace);
/// A row per class of the mean analysed step; shares are of the step.
[[nodiscard]] Table breakdownTable(const Trace& trace);
/// A row per cause of idle time over the whole capture; shares are of the recorded time.
[[nodiscard]] Table idleTable(const Trace& trace);

} // namespace tacho
