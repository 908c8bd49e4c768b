// SPDX-License-Identifier: Apache-2.0
#include "analyzer/metrics/recording_cost.h"

#include "analyzer/metrics/quantile.h"

namespace tacho {

std::optional<RecordingCost> measureRecordingCost(const Trace& trace, ProcessIndex process) {
    std::vector<DurationNs> profiled, unprofiled;
    for (const CalibrationBlock& block : trace.calibration)
        if (block.process == process)
            (block.profiled ? profiled : unprofiled).push_back(block.stepLength());
    RecordingCost cost;
    cost.unprofiledMedian = quantile(unprofiled, 0.5);
    cost.unprofiledQ1 = quantile(unprofiled, 0.25);
    cost.unprofiledQ3 = quantile(unprofiled, 0.75);
    cost.profiledMedian = quantile(profiled, 0.5);
    cost.unprofiledBlocks = unprofiled.size();
    if (cost.unprofiledMedian.count() <= 0 || cost.profiledMedian.count() <= 0)
        return std::nullopt;
    return cost;
}

} // namespace tacho
