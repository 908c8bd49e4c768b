// SPDX-License-Identifier: Apache-2.0
// Copies to the GPU by size: what is copied anew in every step.
#pragma once

#include "analyzer/model/trace.h"

#include <vector>

namespace tacho {

/// All copies from the host of one size to one device that start in an analysed step.
struct UploadSize {
    DeviceIndex device{};
    MemoryKind source = MemoryKind::Unknown;
    std::int64_t bytes = 0;
    std::int64_t count = 0;
    std::int64_t steps = 0;         ///< analysed steps that have one
    std::int64_t analysedSteps = 0; ///< of the device's process
    DurationNs time{0};             ///< sum

    /// As in every step: batches, and constants that could stay on the GPU.
    [[nodiscard]] bool isOfEveryStep() const { return analysedSteps > 1 && steps == analysedSteps; }
};

/// Most bytes in all first. None if there are no steps.
[[nodiscard]] std::vector<UploadSize> uploadSizes(const Trace& trace);

} // namespace tacho
