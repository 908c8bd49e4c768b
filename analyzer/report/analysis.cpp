// SPDX-License-Identifier: Apache-2.0
#include "analyzer/report/analysis.h"

#include "analyzer/rules/all_rules.h"

#include <algorithm>

namespace tacho {
namespace {

bool explains(std::string_view rule, Limit limit) {
    switch (limit) {
    case Limit::Host:
        return rule == "host_bound";
    case Limit::Input:
        return rule == "input_bound";
    case Limit::Copy:
        return rule == "pageable_copies" || rule == "exposed_copies";
    case Limit::Sync:
        return rule == "synchronous_reads";
    case Limit::Communication:
        return rule == "exposed_communication";
    case Limit::Compute:
        return rule == "tensor_cores_unused";
    case Limit::MemoryBandwidth:
    case Limit::Startup:
    case Limit::Healthy:
    case Limit::NoGpuActivity:
        break;
    }
    return false;
}

/// What limits the step has to change before anything else brings its gain; unless another finding, the
/// first, holds over twice the time.
void leadWithLimit(std::vector<Finding>& findings, Limit limit) {
    const auto about = std::find_if(findings.begin(), findings.end(),
                                    [&](const Finding& finding) { return explains(finding.rule, limit); });
    if (about != findings.end() && 2 * about->atMost.share >= findings.front().atMost.share)
        std::rotate(findings.begin(), about, about + 1);
}

} // namespace

Analysis analyse(const Trace& trace, std::optional<StepRange> range) {
    Analysis analysis;
    analysis.measurements = measure(trace, range);
    analysis.findings = checkAllRules(trace, analysis.measurements);
    analysis.verdict = judge(trace, analysis.measurements, analysis.findings);
    leadWithLimit(analysis.findings, analysis.verdict.limit);
    return analysis;
}

} // namespace tacho
