// SPDX-License-Identifier: Apache-2.0
#include "analyzer/rules/data_loading.h"

#include "analyzer/metrics/host_times.h"

namespace tacho {

LoadingTime loadingTime(const Trace& trace) {
    LoadingTime loading;
    for (const IntervalSet& ranges : dataLoadingRanges(trace)) {
        loading.total += ranges.totalLength();
        loading.calls += static_cast<std::int64_t>(ranges.intervals().size());
    }
    return loading;
}

std::optional<std::int64_t> loaderWorkers(const Trace& trace, const TrainingFacts& facts) {
    if (const auto workers = facts.number("dataloader.num_workers"))
        return workers;
    bool isSingle = false;
    for (std::size_t id = 0; id < trace.strings.size(); ++id) {
        const std::string_view name = trace.strings.text(static_cast<StringId>(id));
        if (name.find("_MultiProcessingDataLoaderIter") != std::string_view::npos)
            return std::nullopt;
        isSingle = isSingle || name.find("_SingleProcessDataLoaderIter") != std::string_view::npos;
    }
    return isSingle ? std::optional<std::int64_t>{0} : std::nullopt;
}

} // namespace tacho
