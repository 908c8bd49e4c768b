// SPDX-License-Identifier: Apache-2.0
// The training steps of a capture, and which of them are the steady state.
#pragma once

#include "analyzer/metrics/recording_cost.h"
#include "analyzer/model/trace.h"

#include <optional>
#include <string_view>
#include <vector>

namespace tacho {

[[nodiscard]] std::string_view nameOf(StepSource source); ///< as in JSON: "annotation"

/// Steps of the process that marks most of them (the lowest rank among equals). Ranks step together, so one
/// speaks for all.
struct StepSummary {
    StepSource source = StepSource::None;
    std::vector<StepMark> steps; ///< sorted by start
    DurationNs median{0};        ///< of the steady steps, as are p95 and the next two
    DurationNs p95{0};
    std::int64_t firstSteady = 0; ///< StepMark::index
    std::int64_t lastSteady = 0;
    std::size_t steadySteps = 0;                ///< those between that were recorded
    std::size_t warmUpSteps = 0;                ///< left out before the first steady one
    std::optional<DurationNs> unprofiledMedian; ///< of the steps at full speed; as recordingCost has it
    std::optional<RecordingCost> recordingCost;
    bool isChosen = false;          ///< the steady steps are those of a range that was asked for
    std::optional<Interval> steady; ///< first start to last end of the steady steps
};

/// First and last StepMark::index.
struct StepRange {
    std::int64_t first = 0, last = 0;
};

/// Marks of the trace if it has any; else from repeated optimizer steps, ranges named like a step, or the
/// period of the kernel sequence, micro steps of gradient accumulation joined; or of the collectives, where
/// the kernels have none. Recorded steps are steady but for warm-up: a leading step longer than 1.5
/// medians is warm-up: case studies have a first step of 2 to 20 medians, and steady steps of one run
/// within 1.2. With a range the recorded steps in it are the steady ones; throws Error (Usage) if there are
/// none.
[[nodiscard]] StepSummary summariseSteps(const Trace& trace, std::optional<StepRange> range = {});

/// The part of a device's time that the report judges: its span less warm-up and what follows the last step.
/// Without warm-up it is the whole span, so that its numbers are those of the capture. Of a chosen range it
/// is that range.
[[nodiscard]] Interval analysedWindow(const StepSummary& steps, Interval deviceSpan);

} // namespace tacho
