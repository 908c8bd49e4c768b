// SPDX-License-Identifier: Apache-2.0
// The one thing that limits the steady step: first line of the report.
#pragma once

#include "analyzer/rules/finding.h"

#include <string>
#include <string_view>

namespace tacho {

enum class Limit : std::uint8_t {
    Host,
    Input,
    Copy,
    Sync,
    Communication,
    Compute,
    MemoryBandwidth,
    Startup,
    Healthy,
    NoGpuActivity
};
[[nodiscard]] std::string_view nameOf(Limit limit); ///< as in JSON: "no_gpu_activity"

struct Verdict {
    Limit limit = Limit::NoGpuActivity;
    double share = 0; ///< of the analysed time, 0 to 1
    std::string text; ///< one or two sentences with the numbers
};

/// What would have to go for the step to get shorter. Anything but compute must hold a quarter of the time,
/// or more than compute does: below that, the kernels themselves are the limit.
[[nodiscard]] Verdict judge(const Trace& trace, const Measurements& measurements,
                            const std::vector<Finding>& findings);

} // namespace tacho
