// SPDX-License-Identifier: Apache-2.0
// What each step's time went to on each GPU, every nanosecond in exactly one class.
#pragma once

#include "analyzer/metrics/idle_causes.h"
#include "analyzer/metrics/kernel_times.h"
#include "analyzer/metrics/steps.h"

#include <array>
#include <span>
#include <string_view>
#include <vector>

namespace tacho {

/// Work first, in order of precedence: where two kinds run at once, the first has the time, so that a copy or
/// a collective counts only as far as nothing hides it. Then the causes of idle time, in the order of
/// IdleCause, and what was not recorded.
enum class StepClass : std::uint8_t {
    TensorKernel,
    OtherKernel,   ///< on ordinary cores
    UnknownKernel, ///< neither can be told
    Communication, ///< moving data, as far as waiting can be told from it
    RankWait,      ///< in a collective that another rank had not reached yet
    HostToDevice,
    DeviceToHost,
    OtherMemory, ///< copies on the device or between devices, and sets
    FirstIdle,   ///< + IdleCause
    NotRecorded = FirstIdle + kIdleCauses,
};
inline constexpr std::size_t kStepClasses = static_cast<std::size_t>(StepClass::NotRecorded) + 1;
[[nodiscard]] constexpr StepClass stepClassOf(IdleCause cause) {
    return static_cast<StepClass>(static_cast<std::size_t>(StepClass::FirstIdle) +
                                  static_cast<std::size_t>(cause));
}
[[nodiscard]] std::string_view nameOf(StepClass of);  ///< as in JSON: "tensor_kernel", "idle_host_launch"
[[nodiscard]] std::string_view titleOf(StepClass of); ///< for people: "tensor kernels", "host launch"

/// Indexed by StepClass.
using StepParts = std::array<DurationNs, kStepClasses>;
[[nodiscard]] DurationNs totalOf(const StepParts& parts);

/// Of a kernel, by what its name tells.
[[nodiscard]] StepClass kernelClassOf(const KernelKind& kind);

/// The time between a step's marks on the host, wherever its own work lies: GPU work lags behind its launch,
/// so a step's first kernels may be those of the step before. In the steady state that evens out, and steps
/// neither overlap nor leave gaps. Invariant: the parts add up to the interval.
struct StepTime {
    std::int64_t index = 0; ///< StepMark::index
    Interval interval;
    StepParts parts{};
};

/// The recorded steps that a process marked, in the order of time; where it marked none, those of `summary`.
[[nodiscard]] std::vector<StepTime> recordedSteps(const Trace& trace, const StepSummary& summary,
                                                  ProcessIndex process);

/// Fills the parts of `steps`, which are in the order of time. `rows`: the work of the device, `recorded`:
/// when it was recorded, `idle`: explained over all of that, `rankWait`: see waitForRanks(). Linear in rows
/// and steps.
void breakDownSteps(std::vector<StepTime>& steps, const Trace& trace, const std::vector<KernelKind>& kinds,
                    std::span<const std::uint32_t> rows, const IntervalSet& recorded, const IdleTime& idle,
                    const IntervalSet& rankWait);

/// Mean of the steps with an index from `first` to `last`; zero of none. Each part is rounded down.
[[nodiscard]] StepParts meanParts(std::span<const StepTime> steps, std::int64_t first, std::int64_t last);

} // namespace tacho
