// SPDX-License-Identifier: Apache-2.0
// When the work of each GPU was recorded. Outside of it a GPU without work in the trace may have been busy.
#pragma once

#include "analyzer/metrics/intervals.h"
#include "analyzer/model/trace.h"

#include <vector>

namespace tacho {

/// By device: of each window of its process, first start to last end of the device's work. It may start after
/// the window opened, as unrecorded work still ran, and end after the window closed. Of a process without
/// windows it is one piece. So all recorded work is inside, and a time between two pieces holds none.
[[nodiscard]] std::vector<IntervalSet> recordedTime(const Trace& trace);

} // namespace tacho
