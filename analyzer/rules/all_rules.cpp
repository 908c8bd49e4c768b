// SPDX-License-Identifier: Apache-2.0
#include "analyzer/rules/all_rules.h"

#include <algorithm>
#include <array>

namespace tacho {
namespace {

using Rule = std::optional<Finding> (*)(const Trace&, const Measurements&);

constexpr std::array<Rule, 9> kRules = {
    checkHostBound,         checkInputBound,     checkExposedCommunication,
    checkTensorCoresUnused, checkPageableCopies, checkExposedCopies,
    checkSynchronousReads,  checkPeerCopies,     checkLayoutConversions,
};

} // namespace

std::vector<Finding> checkAllRules(const Trace& trace, const Measurements& measurements) {
    std::vector<Finding> findings;
    if (measurements.devices.empty())
        return findings;
    for (const Rule rule : kRules)
        if (auto finding = rule(trace, measurements))
            findings.push_back(std::move(*finding));
    std::stable_sort(findings.begin(), findings.end(),
                     [](const Finding& a, const Finding& b) { return a.atMost.share > b.atMost.share; });
    return findings;
}

} // namespace tacho
