// SPDX-License-Identifier: Apache-2.0
// GPU idle while the host waits in a data loader for the next batch.
#include "analyzer/rules/all_rules.h"
#include "analyzer/rules/data_loading.h"
#include "analyzer/rules/quantity_text.h"
#include "analyzer/rules/training_facts.h"

#include <fmt/format.h>

#include <algorithm>

namespace tacho {
namespace {

DurationNs idleInLoader(const DeviceActivity& activity) {
    return activity.idle.length(IdleCause::DataLoading);
}

std::string workersAdvice(std::optional<std::int64_t> workers, const TrainingFacts& facts) {
    if (workers == 0)
        return "Load in other processes: DataLoader(num_workers=N, persistent_workers=True). Now the "
               "training process makes each batch itself. Begin with N = CPU cores per GPU.";
    const std::string now =
        workers ? fmt::format("the {} there are do not keep up", countText(*workers, "worker"))
                : "those there are do not keep up";
    const auto prefetch = facts.number("dataloader.prefetch_factor");
    return fmt::format("More DataLoader workers, up to the CPU cores per GPU: {}. If only some batches are "
                       "late, a larger prefetch_factor{}.",
                       now, prefetch ? fmt::format(" (now {})", *prefetch) : "");
}

std::vector<std::string> adviceFor(const Trace& trace, const DeviceActivity& activity) {
    std::vector<std::string> advice;
    const TrainingFacts facts = factsOf(trace, activity);
    const auto workers = loaderWorkers(trace, facts);
    if (workers || facts.isOn("dataloader.seen") || frameworkOf(trace, activity) == Framework::PyTorch) {
        advice.push_back(workersAdvice(workers, facts));
        if (!facts.isOn("dataloader.pin_memory"))
            advice.push_back("DataLoader(pin_memory=True) with .to(device, non_blocking=True): the copy of a "
                             "batch then overlaps with the step.");
    } else {
        advice.push_back(
            "Prepare batches ahead in other threads or processes: PyTorch DataLoader(num_workers=N), "
            "tf.data .prefetch(AUTOTUNE) with a parallel map.");
    }
    advice.push_back(
        "Make a batch cheaper: decode at the size that is used, keep decoded samples, augment on "
        "the GPU (DALI).");
    return advice;
}

} // namespace

std::optional<Finding> checkInputBound(const Trace& trace, const Measurements& measurements) {
    auto finding = makeFinding("input_bound", shareOfWindows(measurements, idleInLoader));
    if (!finding)
        return std::nullopt;
    const auto worst =
        std::max_element(measurements.devices.begin(), measurements.devices.end(),
                         [](const auto& a, const auto& b) { return idleInLoader(a) < idleInLoader(b); });
    const LoadingTime loading = loadingTime(trace);
    const TrainingFacts facts = factsOf(trace, *worst);
    finding->title = fmt::format("The GPU waits {} of the time for input (data loading: {} in {})",
                                 percentText(finding->atMost.share), durationText(loading.total),
                                 countText(loading.calls, "call"));
    finding->evidence.insert(
        finding->evidence.end(),
        {{"data_loading_ns", std::int64_t{loading.total.count()}}, {"data_loading_calls", loading.calls}});
    if (const auto workers = loaderWorkers(trace, facts))
        finding->evidence.emplace_back("num_workers", *workers);
    if (const auto pinned = facts.number("dataloader.pin_memory"))
        finding->evidence.emplace_back("pin_memory", *pinned);
    finding->where = worst->idle[IdleCause::DataLoading].longest();
    finding->advice = adviceFor(trace, *worst);
    return finding;
}

} // namespace tacho
