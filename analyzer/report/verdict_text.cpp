// SPDX-License-Identifier: Apache-2.0
#include "analyzer/report/verdict_text.h"

#include "analyzer/metrics/host_pauses.h"
#include "analyzer/rules/data_loading.h"
#include "analyzer/rules/quantity_text.h"
#include "analyzer/rules/ranks.h"

#include <fmt/format.h>

#include <algorithm>

namespace tacho {
namespace {

/// Communication below this share is not worth a word in another verdict.
constexpr double kNoticeableWait = 0.1;

double shareOf(const VerdictGrounds& grounds, TimePart part) {
    return grounds.shares[static_cast<std::size_t>(part)];
}

const DeviceActivity& worstDevice(const VerdictGrounds& grounds, TimePart part) {
    const auto& devices = grounds.measurements.devices;
    return *std::max_element(devices.begin(), devices.end(), [&](const auto& a, const auto& b) {
        return splitTime(a)[static_cast<std::size_t>(part)] < splitTime(b)[static_cast<std::size_t>(part)];
    });
}

double shareOfWindow(const DeviceActivity& activity, DurationNs time) {
    const auto window = static_cast<double>(std::max<std::int64_t>(activity.steady.span.count(), 1));
    return static_cast<double>(time.count()) / window;
}

std::string idleText(const VerdictGrounds& grounds) {
    return percentText(
        shareOfWindows(grounds.measurements, [](const DeviceActivity& a) { return a.steady.idle; }).share);
}

/// Of the whole capture, whether or not the GPU was idle then.
std::string dataLoadingText(const VerdictGrounds& grounds) {
    const LoadingTime loading = loadingTime(grounds.trace);
    return loading.calls == 0 ? ""
                              : fmt::format("DataLoader ranges take {} in {}", durationText(loading.total),
                                            countText(loading.calls, "call"));
}

std::string oneRankText(const VerdictGrounds& grounds) {
    const RankWaits waits = waitsOfRanks(grounds.trace, grounds.measurements);
    const bool isAlone = waits.ranks.size() < 2 && waits.worldSize > 1;
    if (!isAlone || shareOf(grounds, TimePart::Communication) < kNoticeableWait)
        return "";
    return fmt::format(" This is one rank of {}: alone it cannot tell a late rank from a slow link.",
                       waits.worldSize);
}

std::string memoryName(const CopyTotal& all, const CopyTotal& pageable) {
    if (2 * pageable.time > all.time)
        return "pageable";
    return "pinned";
}

std::string directionText(const CopyTotal& total, const CopyTotal& pageable, std::string_view direction) {
    return fmt::format("{} of {} {} at {:.1f} GB/s ({})", durationText(total.time),
                       memoryName(total, pageable), direction, total.gigabytesPerSecond(),
                       bytesText(total.bytes));
}

/// "186.0 ms of pageable H2D at 14.1 GB/s (2.6 GB) and ..."; "" if copies take under 1 % of the window.
std::string copiesText(const DeviceActivity& activity) {
    const HostCopies& copies = activity.copies;
    const DurationNs least = activity.steady.span / 100;
    std::string text;
    if (copies.toDevice.time > least)
        text = directionText(copies.toDevice, copies.pageableToDevice, "H2D");
    if (copies.toHost.time > least)
        text += (text.empty() ? "" : " and ") + directionText(copies.toHost, copies.pageableToHost, "D2H");
    return text;
}

std::string copyText(const VerdictGrounds& grounds) {
    const DeviceActivity& worst = worstDevice(grounds, TimePart::Copy);
    const HostCopies& copies = worst.copies;
    const DurationNs hidden =
        copies.toDevice.time + copies.toHost.time - copies.toDevice.exposed - copies.toHost.exposed;
    std::string text =
        fmt::format("The GPU waits for copies: {} in a {} window, {} behind kernels; kernels {}",
                    copiesText(worst), durationText(worst.steady.span),
                    hidden > worst.steady.span / 100 ? durationText(hidden) + " hidden" : "none hidden",
                    percentText(shareOfWindow(worst, worst.steady.compute)));
    if (shareOf(grounds, TimePart::Host) > kNoticeableWait)
        text += fmt::format("; idle {}", idleText(grounds));
    return text + ".";
}

std::string hostText(const VerdictGrounds& grounds) {
    const DeviceActivity& worst = worstDevice(grounds, TimePart::Host);
    const auto kernels = std::max<std::int64_t>(worst.launchCount, 1);
    std::string text =
        fmt::format("The host cannot feed the GPU: it is idle {} of the time", idleText(grounds));
    const DurationNs allocation = worst.idle.length(IdleCause::Allocation);
    if (2 * allocation > splitTime(worst)[static_cast<std::size_t>(TimePart::Host)])
        return text +
               fmt::format(", {} of it while the host allocates or frees memory.", durationText(allocation));
    if (const HostPauses pauses = pausesOf(worst); pauses.dominate) {
        text += fmt::format(", {} of it in {} in which the host launches nothing, the longest {}",
                            durationText(pauses.total), countText(pauses.count, "pause"),
                            durationText(pauses.longest->length()));
    } else {
        text += fmt::format("; {} per kernel of wall time, median kernel {}",
                            durationText(worst.steady.span / kernels), durationText(worst.medianKernel));
        if (worst.medianLaunchCall.count() > 0)
            text += fmt::format(", median launch call {}", durationText(worst.medianLaunchCall));
    }
    if (shareOf(grounds, TimePart::Copy) > kNoticeableWait)
        text += fmt::format("; copies that nothing hides: {}", copiesText(worst));
    return text + "." + oneRankText(grounds);
}

std::string communicationText(const VerdictGrounds& grounds) {
    const RankWaits waits = waitsOfRanks(grounds.trace, grounds.measurements);
    const TimeShare host = shareOfWindows(grounds.measurements, [](const DeviceActivity& a) {
        return a.idle.length(IdleCause::HostCommunication);
    });
    const TimeShare gpu = shareOfWindows(
        grounds.measurements, [](const DeviceActivity& a) { return a.steady.communicationExposed; });
    if (waits.isUneven())
        return fmt::format("Ranks wait for a straggler: {}; exposed communication is {} of the time.",
                           waits.comparison(), percentText(gpu.share + host.share));
    const TimeShare peer =
        shareOfWindows(grounds.measurements, [](const DeviceActivity& a) { return a.copies.peer.exposed; });
    if (peer.perDevice > gpu.perDevice + host.perDevice)
        return fmt::format(
            "Copies between GPUs that nothing hides take {} of the time ({} per GPU); idle {}.",
            percentText(peer.share), durationText(peer.perDevice), idleText(grounds));
    if (host.perDevice > gpu.perDevice) {
        const DeviceActivity& worst = worstDevice(grounds, TimePart::Communication);
        return fmt::format(
            "The GPU waits {} of the time for communication on the host (gloo or MPI), and copies {} to "
            "and {} from host memory for it.",
            percentText(host.share), bytesText(worst.copies.toHost.bytes),
            bytesText(worst.copies.toDevice.bytes));
    }
    return fmt::format("Communication that nothing hides takes {} of the time ({} per GPU); idle {}.{}",
                       percentText(gpu.share), durationText(gpu.perDevice), idleText(grounds),
                       oneRankText(grounds));
}

std::string computeText(const VerdictGrounds& grounds, bool isHealthy) {
    const auto share = [&](DurationNs TensorTime::*part) {
        return percentText(shareOfWindows(grounds.measurements, [&](const DeviceActivity& a) {
                               return a.tensor.*part;
                           }).share);
    };
    std::string text =
        fmt::format("{} fill {} of the time (tensor cores {}, without {}, unknown {})",
                    isHealthy ? "Kernels" : "The kernels are the limit: they",
                    percentText(shareOf(grounds, TimePart::Compute)), share(&TensorTime::tensor),
                    share(&TensorTime::notTensor), share(&TensorTime::unknown));
    if (shareOf(grounds, TimePart::Host) > kNoticeableWait)
        text += fmt::format("; the GPU is idle {}", idleText(grounds));
    if (const std::string loading = dataLoadingText(grounds); !loading.empty())
        text += "; " + loading;
    return text + "." + oneRankText(grounds);
}

std::string inputText(const VerdictGrounds& grounds) {
    return fmt::format("The GPU waits for input: {}, with the GPU idle in them {} of the time; idle in all "
                       "{}.",
                       dataLoadingText(grounds), percentText(shareOf(grounds, TimePart::Input)),
                       idleText(grounds));
}

} // namespace

std::string verdictText(const VerdictGrounds& grounds, TimePart limit, bool isHealthy) {
    const std::string share = percentText(shareOf(grounds, limit));
    switch (limit) {
    case TimePart::Communication:
        return communicationText(grounds);
    case TimePart::Copy:
        return copyText(grounds);
    case TimePart::Input:
        return inputText(grounds);
    case TimePart::Sync:
        return fmt::format(
            "The host waits for the GPU and lets it run dry: {} of the time it is idle after a "
            "synchronising call (idle in all {}).",
            share, idleText(grounds));
    case TimePart::Dependency:
        return fmt::format("The GPU is idle {} of the time though its next work was launched: that waits for "
                           "another stream, for an event, or for another device.",
                           share);
    case TimePart::Startup:
        return fmt::format(
            "Start-up dominates: {} of the time the GPU waits for GPU code to be loaded or compiled. "
            "Record later steps to judge the training.",
            share);
    case TimePart::Host:
        return hostText(grounds);
    case TimePart::Untold:
        return fmt::format(
            "The GPU is idle {} of the time; the file holds no launches of its work, so the cause cannot "
            "be told.",
            idleText(grounds));
    case TimePart::Compute:
    case TimePart::OtherWork:
        break;
    }
    return computeText(grounds, isHealthy);
}

std::string noActivityText(const Trace& trace) {
    std::string reasons; // that the file gives
    std::string finding; // that nothing is there, in the importer's words
    for (const HealthNote& note : trace.health) {
        std::string& text = note.code == "no_gpu_activity" ? finding : reasons;
        if (note.severity != Severity::Info)
            text += (text.empty() ? "" : "; ") + note.message;
    }
    if (!reasons.empty())
        return "No CUDA activity was recorded: " + reasons + ".";
    return "No CUDA activity was recorded: " +
           (finding.empty() ? "no kernel, copy or memory set is in the file" : finding) +
           ". Was the training's own process recorded, with CUDA tracing on, while it used the GPU?";
}

} // namespace tacho
