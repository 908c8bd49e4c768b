// SPDX-License-Identifier: Apache-2.0
// How the training loads its input, as far as ranges and facts tell.
#pragma once

#include "analyzer/model/trace.h"
#include "analyzer/rules/training_facts.h"

#include <cstdint>
#include <optional>

namespace tacho {

/// Over the whole capture and all processes, whether or not the GPU was idle then.
struct LoadingTime {
    DurationNs total{0};
    std::int64_t calls = 0;
};
[[nodiscard]] LoadingTime loadingTime(const Trace& trace);

/// Worker processes of the DataLoader: from the hook, or 0 where PyTorch's profiler names only iterators that
/// load in the training process.
[[nodiscard]] std::optional<std::int64_t> loaderWorkers(const Trace& trace, const TrainingFacts& facts);

} // namespace tacho
