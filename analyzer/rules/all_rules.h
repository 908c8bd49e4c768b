// SPDX-License-Identifier: Apache-2.0
// The rules: each looks for one defect, fires on it and is silent where it is fixed.
#pragma once

#include "analyzer/rules/finding.h"

namespace tacho {

[[nodiscard]] std::optional<Finding> checkTensorCoresUnused(const Trace& trace,
                                                            const Measurements& measurements);
[[nodiscard]] std::optional<Finding> checkHostBound(const Trace& trace, const Measurements& measurements);
[[nodiscard]] std::optional<Finding> checkInputBound(const Trace& trace, const Measurements& measurements);
[[nodiscard]] std::optional<Finding> checkPageableCopies(const Trace& trace,
                                                         const Measurements& measurements);
[[nodiscard]] std::optional<Finding> checkExposedCopies(const Trace& trace, const Measurements& measurements);
[[nodiscard]] std::optional<Finding> checkSynchronousReads(const Trace& trace,
                                                           const Measurements& measurements);
[[nodiscard]] std::optional<Finding> checkExposedCommunication(const Trace& trace,
                                                               const Measurements& measurements);

[[nodiscard]] std::optional<Finding> checkPeerCopies(const Trace& trace, const Measurements& measurements);
[[nodiscard]] std::optional<Finding> checkLayoutConversions(const Trace& trace,
                                                            const Measurements& measurements);

/// Findings of all rules, largest share of time first.
[[nodiscard]] std::vector<Finding> checkAllRules(const Trace& trace, const Measurements& measurements);

} // namespace tacho
