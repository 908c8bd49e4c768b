// SPDX-License-Identifier: Apache-2.0
// Collectives that the GPU's own work does not hide, on the GPU (NCCL, RCCL) or on the host (gloo, MPI).
#include "analyzer/rules/all_rules.h"
#include "analyzer/rules/device_speed.h"
#include "analyzer/rules/quantity_text.h"
#include "analyzer/rules/ranks.h"

#include <fmt/format.h>

namespace tacho {
namespace {

DurationNs onGpu(const DeviceActivity& activity) {
    return activity.steady.communicationExposed;
}
DurationNs onHost(const DeviceActivity& activity) {
    return activity.idle.length(IdleCause::HostCommunication);
}

/// "" where ranks were recorded but communicate on the host: their waits are not known one by one.
std::string whoIsLate(const Trace& trace, const Measurements& measurements, const RankWaits& waits) {
    if (waits.ranks.size() < 2)
        return trace.processes.size() > 1
                   ? ""
                   : "One rank alone cannot tell a late rank from a slow link: record all ranks.";
    if (!waits.isUneven())
        return "All ranks wait alike: the exchange itself takes the time, no rank is late.";
    const double slow = slowness(trace, measurements, waits.straggler().device).value_or(1);
    if (slow >= kNoticeableSlowness)
        return fmt::format(
            "{}, and its kernels take {:.1f} times as long as the same ones of the others. If its "
            "batches are no larger, look at the GPU: nvidia-smi -q tells clocks, reasons of "
            "throttling, temperature and errors.",
            waits.comparison(), slow);
    return waits.comparison() +
           ": the others wait for it. Look at its host and input first; the link is not the limit.";
}

} // namespace

std::optional<Finding> checkExposedCommunication(const Trace& trace, const Measurements& measurements) {
    auto finding = makeFinding(
        "exposed_communication",
        shareOfWindows(measurements, [](const DeviceActivity& a) { return onGpu(a) + onHost(a); }));
    if (!finding)
        return std::nullopt;
    const TimeShare host = shareOfWindows(measurements, onHost);
    const TimeShare gpu = shareOfWindows(measurements, onGpu);
    const RankWaits waits = waitsOfRanks(trace, measurements);
    finding->title = fmt::format("Communication takes {} of the time with nothing to hide it{}",
                                 percentText(finding->atMost.share),
                                 host.perDevice > gpu.perDevice ? " (on the host, through gloo or MPI)" : "");
    finding->evidence.insert(finding->evidence.end(),
                             {{"exposed_on_gpu_ns", std::int64_t{gpu.perDevice.count()}},
                              {"waiting_on_host_ns", std::int64_t{host.perDevice.count()}},
                              {"ranks_recorded", static_cast<std::int64_t>(waits.ranks.size())}});
    if (waits.ranks.size() > 1 && waits.isUneven())
        finding->evidence.emplace_back("straggler", waits.straggler().name());
    if (host.perDevice > gpu.perDevice)
        finding->advice.push_back(
            "Let the GPUs exchange: backend=\"nccl\" instead of gloo, or a CUDA-aware MPI; "
            "now all passes through host memory.");
    if (const std::string late = whoIsLate(trace, measurements, waits); !late.empty())
        finding->advice.push_back(late);
    if (waits.ranks.size() < 2 || !waits.isUneven())
        finding->advice.push_back(
            "Accumulate gradients over k batches with no_sync(): one exchange in k steps (the "
            "effective batch grows k-fold, mind convergence); DDP overlaps with backward.");
    return finding;
}

} // namespace tacho
