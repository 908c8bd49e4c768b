// SPDX-License-Identifier: Apache-2.0
#include "analyzer/metrics/mpi_work.h"

#include "analyzer/model/collective_kind.h"

#include <unordered_map>

namespace tacho {

std::vector<Collective> mpiWork(const Trace& trace) {
    std::vector<Collective> work;
    std::unordered_map<StringId, CollectiveKind> kinds; // many ranges, few names
    const Ranges& ranges = trace.ranges;
    for (std::size_t row = 0; row < ranges.size(); ++row) {
        const auto thread = static_cast<std::size_t>(ranges.thread[row]);
        if (ranges.kind[row] != RangeKind::Nvtx || thread >= trace.threads.size())
            continue;
        const auto [known, isNew] = kinds.try_emplace(ranges.name[row], CollectiveKind::Unknown);
        if (isNew && trace.text(ranges.name[row]).starts_with("MPI_"))
            known->second = collectiveKindOf(trace.text(ranges.name[row]));
        if (known->second == CollectiveKind::Unknown)
            continue;
        Collective call;
        call.thread = ranges.thread[row];
        call.process = trace.threads[thread].process;
        call.interval = ranges.interval(row);
        call.kind = known->second;
        work.push_back(call);
    }
    return work;
}

} // namespace tacho
