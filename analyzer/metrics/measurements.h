// SPDX-License-Identifier: Apache-2.0
// All that is measured before anything is judged: input of the rules and of the verdict.
#pragma once

#include "analyzer/metrics/code_loading.h"
#include "analyzer/metrics/collectives.h"
#include "analyzer/metrics/counter_summary.h"
#include "analyzer/metrics/device_breakdown.h"
#include "analyzer/metrics/host_copies.h"
#include "analyzer/metrics/idle_causes.h"
#include "analyzer/metrics/kernel_times.h"
#include "analyzer/metrics/memory_use.h"
#include "analyzer/metrics/overlap_slowdown.h"
#include "analyzer/metrics/phase_split.h"
#include "analyzer/metrics/step_variation.h"
#include "analyzer/metrics/steps.h"

#include <functional>

namespace tacho {

/// One GPU as one process used it. The recorded time of the window, steady.span, is compute + exposed
/// communication + exposed copies of the host and between GPUs + other work + idle causes, exactly.
struct DeviceActivity {
    DeviceBreakdown whole; ///< of the capture
    Interval captured;     ///< first start to last end of the device's work
    TensorTime wholeTensor;
    IdleTime wholeIdle;
    std::vector<StepTime> steps;             ///< the recorded ones
    StepVariation variation;                 ///< of the analysed ones
    std::optional<OverlapSlowdown> slowdown; ///< of the capture

    StepParts usual{};      ///< of the mean analysed step; where there are no steps, of the window
    Interval window;        ///< see analysedWindow(); the rest is of this window
    DeviceBreakdown steady; ///< clipped to the window
    TensorTime tensor;
    IdleTime idle;
    HostCopies copies;
    DurationNs copiesExposed{0}; ///< host copies while no kernel ran
    DurationNs otherWork{0};     ///< copies on the device and sets while neither kernels nor other copies ran
    PhaseSplit phases;
    MemoryUse memory;
    std::vector<KernelTotal> kernels;
    std::int64_t launchCount = 0;   ///< kernels that start in the window
    DurationNs medianKernel{0};     ///< over all kernels of the window
    DurationNs medianLaunchCall{0}; ///< the call that launched each; 0: not in the file
    CounterSummary counters;
};

struct Measurements {
    StepSummary steps;
    std::vector<DeviceActivity> devices;        ///< those with GPU work
    std::vector<CodeLoading> codeLoading;       ///< of the whole capture
    std::vector<CollectiveSummary> collectives; ///< of the whole capture
};

/// `range`: analyse these steps, whatever they look like.
[[nodiscard]] Measurements measure(const Trace& trace, std::optional<StepRange> range = {});

/// A part of the analysed time of all devices together.
struct TimeShare {
    DurationNs perDevice{0}; ///< mean
    double share = 0;        ///< 0 to 1
};
[[nodiscard]] TimeShare shareOfWindows(const Measurements& measurements,
                                       const std::function<DurationNs(const DeviceActivity&)>& part);

} // namespace tacho
