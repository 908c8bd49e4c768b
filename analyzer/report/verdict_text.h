// SPDX-License-Identifier: Apache-2.0
// Says a verdict in words, with the numbers that prove it.
#pragma once

#include "analyzer/report/time_split.h"
#include "analyzer/rules/finding.h"

#include <string>

namespace tacho {

struct VerdictGrounds {
    const Trace& trace;
    const Measurements& measurements;
    const TimeShares& shares;
    const std::vector<Finding>& findings;
};

/// REQUIRES a device with GPU work.
[[nodiscard]] std::string verdictText(const VerdictGrounds& grounds, TimePart limit, bool isHealthy);

/// That nothing was recorded, and why if the file tells.
[[nodiscard]] std::string noActivityText(const Trace& trace);

} // namespace tacho
