// SPDX-License-Identifier: Apache-2.0
// The report as a page, to read in a browser, to print and to send.
#pragma once

#include "analyzer/report/analysis.h"

#include <string>

namespace tacho {

/// One file that holds all it needs: no script, no request. HTML 5 that is well-formed XML, too; UTF-8.
[[nodiscard]] std::string htmlReport(const Trace& trace, const Analysis& analysis);

} // namespace tacho
