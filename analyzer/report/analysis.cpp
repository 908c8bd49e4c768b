// SPDX-License-Identifier: Apache-2.0
#include "analyzer/report/analysis.h"

#include "analyzer/rules/all_rules.h"

namespace tacho {

Analysis analyse(const Trace& trace) {
    Analysis analysis;
    analysis.measurements = measure(trace);
    analysis.findings = checkAllRules(trace, analysis.measurements);
    analysis.verdict = judge(trace, analysis.measurements, analysis.findings);
    return analysis;
}

} // namespace tacho
