// SPDX-License-Identifier: Apache-2.0
#include "analyzer/report/analysis.h"

#include "analyzer/rules/all_rules.h"

#include <algorithm>

namespace tacho {
namespace {

/// Rule that explains a limit; "" if there is none.
std::string_view ruleOf(Limit limit) {
    switch (limit) {
    case Limit::Host:
        return "host_bound";
    case Limit::Input:
        return "input_bound";
    case Limit::Copy:
        return "pageable_copies";
    case Limit::Sync:
        return "synchronous_reads";
    case Limit::Communication:
        return "exposed_communication";
    case Limit::Compute:
        return "tensor_cores_unused";
    case Limit::MemoryBandwidth:
    case Limit::Startup:
    case Limit::Healthy:
    case Limit::NoGpuActivity:
        break;
    }
    return "";
}

/// What limits the step has to change before anything else brings its gain; unless another finding, the
/// first, holds over twice the time.
void leadWithLimit(std::vector<Finding>& findings, Limit limit) {
    const auto about = std::find_if(findings.begin(), findings.end(),
                                    [&](const Finding& finding) { return finding.rule == ruleOf(limit); });
    if (about != findings.end() && 2 * about->atMost.share >= findings.front().atMost.share)
        std::rotate(findings.begin(), about, about + 1);
}

} // namespace

Analysis analyse(const Trace& trace) {
    Analysis analysis;
    analysis.measurements = measure(trace);
    analysis.findings = checkAllRules(trace, analysis.measurements);
    analysis.verdict = judge(trace, analysis.measurements, analysis.findings);
    leadWithLimit(analysis.findings, analysis.verdict.limit);
    return analysis;
}

} // namespace tacho
