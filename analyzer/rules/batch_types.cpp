// SPDX-License-Identifier: Apache-2.0
#include "analyzer/rules/batch_types.h"

#include <algorithm>

namespace tacho {

bool anyBatchIsDouble(const Trace& trace) {
    return std::any_of(trace.processes.begin(), trace.processes.end(), [](const Process& process) {
        const auto types = process.facts.find("dataloader.types");
        return types != process.facts.end() && types->second.find("float64") != std::string::npos;
    });
}

} // namespace tacho
