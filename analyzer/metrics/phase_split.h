// SPDX-License-Identifier: Apache-2.0
// How much of a training's time is data loading, forward, backward and optimizer, on the host and on the GPU.
#pragma once

#include "analyzer/metrics/intervals.h"
#include "analyzer/model/trace.h"

#include <array>
#include <optional>
#include <span>
#include <string_view>

namespace tacho {

/// Where ranges of two overlap, the first has the time.
enum class Phase : std::uint8_t { Optimizer, Backward, Forward, DataLoader };
inline constexpr std::size_t kPhases = 4;
[[nodiscard]] std::string_view nameOf(Phase phase); ///< as in JSON: "dataloader"

/// The phase that a range of this kind and name is of: those that the hook marks; the profiler's
/// "Optimizer.step#...", "enumerate(DataLoader)..." and "autograd::engine::evaluate_function: ..."; NVTX
/// ranges and annotations that are called forward, backward or optimizer.
[[nodiscard]] std::optional<Phase> phaseOf(RangeKind kind, std::string_view name);

struct PhaseTime {
    DurationNs host{0}; ///< length of the union of its ranges, on whatever threads of the process
    DurationNs gpu{0};  ///< length of the union of the work launched meanwhile by any thread of the process
    std::int64_t gpuOps = 0;
};

/// Indexed by Phase. Backward runs on a thread of its own in PyTorch: so work belongs to the phase that its
/// process was in as it was launched, whatever the thread.
struct PhaseSplit {
    std::array<PhaseTime, kPhases> phases;
    PhaseTime other; ///< launched in none of them, or the launch is not in the file; its host time is 0
    [[nodiscard]] bool isKnown() const;
};

/// When each process was in which phase. Immutable.
class PhaseTimes {
  public:
    explicit PhaseTimes(const Trace& trace);
    /// Of one device. `rows`: its work, see DeviceRows; `window`: the GPU's time that counts; `steps`: the
    /// host's, as phases are marked outside of recorded steps, too.
    [[nodiscard]] PhaseSplit split(const Trace& trace, DeviceIndex device,
                                   std::span<const std::uint32_t> rows, Interval window,
                                   const IntervalSet& steps) const;

  private:
    std::vector<std::array<IntervalSet, kPhases>> m_byProcess; ///< disjoint
};

} // namespace tacho
