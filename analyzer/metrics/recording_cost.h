// SPDX-License-Identifier: Apache-2.0
// What recording added to the steps, from those that the same run made at full speed.
#pragma once

#include "analyzer/model/trace.h"

#include <cstddef>
#include <optional>

namespace tacho {

/// Quantiles over blocks of steps, each with its mean: a host's noise within a few steps averages out, and a
/// training that drifts shows in the quartiles.
struct RecordingCost {
    DurationNs unprofiledMedian{0}, unprofiledQ1{0}, unprofiledQ3{0}; ///< of a step at full speed
    DurationNs profiledMedian{0};                                     ///< of a step that was recorded
    std::size_t unprofiledBlocks = 0;

    /// 0.2: recording makes steps longer by a fifth. Below 0 where it drowns in the noise.
    [[nodiscard]] double addedShare() const {
        return static_cast<double>(profiledMedian.count()) / static_cast<double>(unprofiledMedian.count()) -
               1;
    }
};

/// Absent: the file has no blocks of both kinds for the process.
[[nodiscard]] std::optional<RecordingCost> measureRecordingCost(const Trace& trace, ProcessIndex process);

} // namespace tacho
