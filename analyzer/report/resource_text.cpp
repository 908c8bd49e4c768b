// SPDX-License-Identifier: Apache-2.0
#include "analyzer/report/resource_text.h"

#include "analyzer/rules/quantity_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace tacho {
namespace {

constexpr DurationNs kNoticeableLoading{500'000'000};
constexpr int kLeastPart = 100; ///< a part under 1/100 of the whole is not worth a word
constexpr double kNoticeableCalls = 0.01;

/// "for sm_90"; the compiler ran because there was none.
std::string missingCode(const Trace& trace, ProcessIndex process) {
    const auto gpu = std::find_if(trace.devices.begin(), trace.devices.end(), [&](const Device& device) {
        return device.process == process && device.computeMajor > 0;
    });
    return gpu == trace.devices.end() ? "this GPU"
                                      : fmt::format("sm_{}{}", gpu->computeMajor, gpu->computeMinor);
}

/// First load of code to last GPU work of a process.
Interval runOf(const Measurements& measurements, const CodeLoading& loading) {
    Interval run = loading.span;
    for (const DeviceActivity& activity : measurements.devices)
        if (activity.whole.process == loading.process)
            run = {std::min(run.start, activity.captured.start), std::max(run.end, activity.captured.end)};
    return run;
}

std::int64_t mostUsed(const MemoryUse& use) {
    return std::max({use.peakAllocatedBytes, use.peakReservedBytes, use.peakCudaBytes});
}

/// Parts of no weight are left out.
std::string partsText(const Trace& trace, const CodeLoading& loading) {
    std::vector<std::string> parts;
    const auto add = [&](DurationNs time, const std::string& what) {
        if (time > loading.total / kLeastPart)
            parts.push_back(durationText(time) + " " + what);
    };
    const std::string units =
        loading.compiledUnits == 0
            ? ""
            : fmt::format(" ({} without code for {})", countText(loading.compiledUnits, "module"),
                          missingCode(trace, loading.process));
    add(loading.compiling, "in the driver's compiler" + units);
    add(loading.loadingModules, "loading modules");
    add(loading.loadingFunctions, "loading functions at first use");
    return fmt::format("{}", fmt::join(parts, ", "));
}

} // namespace

std::string codeLoadingText(const Trace& trace, const CodeLoading& loading) {
    return fmt::format("{} to get GPU code: {}", durationText(loading.total), partsText(trace, loading));
}

const CodeLoading* noticeableLoading(const Measurements& measurements) {
    const auto& rows = measurements.codeLoading;
    const auto most = std::max_element(rows.begin(), rows.end(),
                                       [](const auto& a, const auto& b) { return a.total < b.total; });
    return most == rows.end() || most->total < kNoticeableLoading ? nullptr : &*most;
}

double shareOfStartUp(const Measurements& measurements, const CodeLoading& loading) {
    return static_cast<double>(loading.total.count()) /
           static_cast<double>(std::max<std::int64_t>(runOf(measurements, loading).length().count(), 1));
}

std::string startUpText(const Trace& trace, const Measurements& measurements, const CodeLoading& loading) {
    return fmt::format(
        "Start-up dominates: {} of the {} from the first load of GPU code to the last GPU work "
        "go into it: {}. Record later steps to judge the training.",
        percentText(shareOfStartUp(measurements, loading)),
        durationText(runOf(measurements, loading).length()), partsText(trace, loading));
}

std::string memoryText(const Measurements& measurements) {
    const auto& devices = measurements.devices;
    const auto fullest = std::max_element(devices.begin(), devices.end(), [](const auto& a, const auto& b) {
        return mostUsed(a.memory) < mostUsed(b.memory);
    });
    if (fullest == devices.end() || mostUsed(fullest->memory) == 0)
        return "";
    const MemoryUse& use = fullest->memory;
    std::vector<std::string> peaks;
    if (use.peakAllocatedBytes > 0)
        peaks.push_back(bytesText(use.peakAllocatedBytes) + " in tensors");
    if (use.peakReservedBytes > 0)
        peaks.push_back(bytesText(use.peakReservedBytes) + " reserved");
    else if (use.peakCudaBytes > 0)
        peaks.push_back(bytesText(use.peakCudaBytes) + " allocated");
    std::string text = fmt::format("peak {}", fmt::join(peaks, ", "));
    if (use.totalBytes > 0)
        text += fmt::format(" of {}", bytesText(use.totalBytes));
    const auto window = static_cast<double>(std::max<std::int64_t>(fullest->steady.span.count(), 1));
    const double share = static_cast<double>(use.callTime.count()) / window;
    if (share >= kNoticeableCalls)
        text += fmt::format("; allocating and freeing ({}) takes {} of the time",
                            countText(use.calls, "call"), percentText(share));
    return text;
}

} // namespace tacho
