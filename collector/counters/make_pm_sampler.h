// SPDX-License-Identifier: Apache-2.0
// The sampler of what the units of GPUs do.
#pragma once

#include "collector/counters/counter_log.h"
#include "collector/counters/gpu_sampler.h"

#include <memory>
#include <optional>
#include <string>

namespace tacho {

/// A PmSampler; `cupti` is the library to use, which is searched where absent. Where tacho was built without
/// its headers, a sampler that says so and samples nothing.
[[nodiscard]] std::unique_ptr<GpuSampler> makePmSampler(CounterLog& log,
                                                        const std::optional<std::string>& cupti);

} // namespace tacho
