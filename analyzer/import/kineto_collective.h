// SPDX-License-Identifier: Apache-2.0
// Collectives from the arguments of PyTorch profiler events.
#pragma once

#include "analyzer/import/kineto_event.h"

namespace tacho {

/// A row of Trace::collectives without its thread; nothing if the event tells no more than its name does.
/// REQUIRES event.tellsOfCollective().
[[nodiscard]] std::optional<Collective> collectiveOf(const KinetoEvent& event, Interval interval,
                                                     ProcessIndex process, StringTable& strings);

} // namespace tacho
