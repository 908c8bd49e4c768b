// SPDX-License-Identifier: Apache-2.0
// The report for people: one screen, verdict first.
#pragma once

#include "analyzer/report/analysis.h"

#include <string>

namespace tacho {

struct TextReportStyle {
    bool useColour = false; ///< ANSI escapes; for terminals only
    int width = 100;        ///< columns, at least 60
};

/// At most 24 lines, each ending in a newline: verdict, steps, where the time goes (a bar per device), advice
/// (what limits the step first), health. What does not fit is counted, never dropped in silence.
[[nodiscard]] std::string textReport(const Trace& trace, const Analysis& analysis,
                                     TextReportStyle style = {});

} // namespace tacho
