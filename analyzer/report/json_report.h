// SPDX-License-Identifier: Apache-2.0
// The report for programs; its keys are a contract.
#pragma once

#include "analyzer/report/analysis.h"

#include <string>

namespace tacho {

/// Report format 1, indented, with a newline at the end. Durations are integers of nanoseconds; no number is
/// ever NaN or infinite.
[[nodiscard]] std::string jsonReport(const Trace& trace, const Analysis& analysis);

} // namespace tacho
