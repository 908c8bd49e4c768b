// SPDX-License-Identifier: Apache-2.0
// What it cost a process to get its GPU code: loading it, and compiling what was not made for the GPU.
#pragma once

#include "analyzer/model/trace.h"

#include <vector>

namespace tacho {

/// The three parts are disjoint and add up to the total.
struct CodeLoading {
    ProcessIndex process{};
    Interval span;                  ///< first start to last end
    DurationNs total{0};            ///< what overlaps (threads at once) counts once
    DurationNs compiling{0};        ///< in the driver's compiler
    DurationNs loadingModules{0};   ///< in calls that load modules, less compiling
    DurationNs loadingFunctions{0}; ///< of modules that are there, at first use (lazy loading)
    std::int64_t compiledUnits = 0; ///< made by the driver's compiler
    std::int64_t cachedUnits = 0;   ///< that it had compiled in an earlier run
    std::int64_t loadedModules = 0;
};

/// One row per process in which there was any, in the order of the processes.
[[nodiscard]] std::vector<CodeLoading> measureCodeLoading(const Trace& trace);

} // namespace tacho
