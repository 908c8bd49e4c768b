// SPDX-License-Identifier: Apache-2.0
// What the GPUs did: kernels, copies, memory, counters.
#include "analyzer/report/device_label.h"
#include "analyzer/report/html_parts.h"
#include "analyzer/report/html_sections.h"
#include "analyzer/report/html_text.h"
#include "analyzer/report/svg_bar.h"
#include "analyzer/report/svg_counter.h"
#include "analyzer/rules/quantity_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace tacho {
namespace {

constexpr std::size_t kMostKernels = 40;
constexpr std::size_t kMostCharts = 48;
constexpr std::size_t kShortName = 60; ///< bytes; longer names are folded away
constexpr std::size_t kCutName = 160;  ///< more than one line holds

struct KernelSum {
    StringId name{};
    std::int64_t count = 0;
    DurationNs total{0};
};

/// Of all devices, largest total first.
std::vector<KernelSum> sumKernels(const Measurements& measurements) {
    std::map<StringId, KernelSum> byName;
    for (const DeviceActivity& activity : measurements.devices)
        for (const KernelTotal& kernel : activity.kernels) {
            KernelSum& sum = byName[kernel.name];
            sum.name = kernel.name;
            sum.count += kernel.count;
            sum.total += kernel.total;
        }
    std::vector<KernelSum> sums;
    for (const auto& [name, sum] : byName)
        sums.push_back(sum);
    std::stable_sort(sums.begin(), sums.end(),
                     [](const KernelSum& a, const KernelSum& b) { return a.total > b.total; });
    return sums;
}

/// On one line, as far as there is room for it; a click shows all.
std::string kernelName(std::string_view name) {
    if (name.size() <= kShortName)
        return fmt::format("<code>{}</code>", htmlEscaped(name));
    return fmt::format(
        "<details class=\"kernel\"><summary><code>{0}</code></summary><code>{1}</code></details>",
        htmlEscaped(name.substr(0, kCutName)), htmlEscaped(name));
}

std::string unlessZero(std::int64_t bytes) {
    return bytes > 0 ? bytesText(bytes) : "unknown";
}

void addCopies(HtmlTable& table, const std::string& device, std::string_view what, const CopyTotal& copies) {
    if (copies.count > 0)
        table.rows.push_back(
            {fmt::format("{}, {}", htmlEscaped(device), what), fmt::format("{}", copies.count),
             bytesText(copies.bytes), durationText(copies.time),
             fmt::format("{:.1f} GB/s", copies.gigabytesPerSecond()), durationText(copies.exposed)});
}

/// The window of the device; of one without work, all.
Interval windowOf(const Measurements& measurements, DeviceIndex device) {
    for (const DeviceActivity& activity : measurements.devices)
        if (activity.whole.device == device)
            return activity.window;
    return {TimeNs::min(), TimeNs::min()};
}

} // namespace

std::string htmlKernels(const Trace& trace, const Measurements& measurements) {
    const std::vector<KernelSum> sums = sumKernels(measurements);
    DurationNs all{0};
    for (const KernelSum& sum : sums)
        all += sum.total;
    HtmlTable table{"Kernels by time",
                    {{"Class"},
                     {""},
                     {"Time", true},
                     {"Total", true},
                     {"Launches", true},
                     {"Mean", true},
                     {"Arithmetic"},
                     {"Kernel"}},
                    {}};
    const std::vector<KernelKind> kinds = judgeKernelNames(trace);
    const std::size_t shown = std::min(sums.size(), kMostKernels);
    for (std::size_t i = 0; i < shown; ++i) {
        const KernelSum& sum = sums[i];
        const std::string_view name = trace.text(sum.name);
        const KernelKind& kind = kinds[static_cast<std::size_t>(sum.name)];
        const StepClass of = kernelClassOf(kind);
        const auto share = [&](DurationNs of) {
            return static_cast<double>(sum.total.count()) /
                   static_cast<double>(std::max<std::int64_t>(of.count(), 1));
        };
        table.rows.push_back({htmlClassName(of), svgShare(of, share(sums.front().total)),
                              percentText(share(all)), durationText(sum.total), fmt::format("{}", sum.count),
                              durationText(sum.total / std::max<std::int64_t>(sum.count, 1)),
                              std::string(nameOf(kind.use.mode)), kernelName(name)});
    }
    std::string body = htmlTable(table);
    if (!body.empty())
        body =
            htmlNote("Of the analysed time, all GPUs together. Shares are of the sum of all kernels; kernels "
                     "that run at once count each.") +
            body + htmlRest(shown, sums.size(), "kernels", "tacho stats FILE kernels");
    return htmlSection("kernels", "Kernels", body);
}

std::string htmlCopies(const Trace& trace, const Measurements& measurements) {
    HtmlTable table{"Copies between host and GPU",
                    {{"Copies"},
                     {"Count", true},
                     {"Bytes", true},
                     {"Time", true},
                     {"Speed", true},
                     {"Not hidden by kernels", true}},
                    {}};
    for (const DeviceActivity& activity : shownDevices(measurements)) {
        const std::string device = deviceLabel(trace, activity);
        addCopies(table, device, "to the GPU", activity.copies.toDevice);
        addCopies(table, device, "of these from pageable memory", activity.copies.pageableToDevice);
        addCopies(table, device, "to the host", activity.copies.toHost);
        addCopies(table, device, "of these to pageable memory", activity.copies.pageableToHost);
    }
    return htmlSection("copies", "Copies between host and GPU",
                       htmlTable(table) + htmlRest(shownDevices(measurements).size(),
                                                   measurements.devices.size(), "GPUs",
                                                   "tacho report FILE --format json"));
}

std::string htmlMemory(const Trace& trace, const Measurements& measurements) {
    HtmlTable table{"Memory of the GPUs",
                    {{"GPU"},
                     {"Total", true},
                     {"Most in tensors", true},
                     {"Most reserved", true},
                     {"Most allocated by CUDA", true},
                     {"Calls", true},
                     {"Time in calls", true}},
                    {}};
    for (const DeviceActivity& activity : shownDevices(measurements)) {
        const MemoryUse& use = activity.memory;
        if (use.peakAllocatedBytes + use.peakReservedBytes + use.peakCudaBytes + use.calls > 0)
            table.rows.push_back({deviceLabel(trace, activity), unlessZero(use.totalBytes),
                                  unlessZero(use.peakAllocatedBytes), unlessZero(use.peakReservedBytes),
                                  unlessZero(use.peakCudaBytes), fmt::format("{}", use.calls),
                                  durationText(use.callTime)});
    }
    return htmlSection("memory", "Memory",
                       htmlTable(table) + htmlRest(shownDevices(measurements).size(),
                                                   measurements.devices.size(), "GPUs",
                                                   "tacho report FILE --format json"));
}

std::string htmlCounters(const Trace& trace, const Measurements& measurements) {
    std::string charts;
    const std::size_t shown = std::min(trace.counters.size(), kMostCharts);
    for (std::size_t i = 0; i < shown; ++i) {
        const CounterSeries& series = trace.counters[i];
        if (series.time.empty())
            continue;
        const Device& device = trace.devices[static_cast<std::size_t>(series.device)];
        const std::string title = fmt::format("GPU {}: {}", device.id, series.name);
        const auto [lowest, highest] = std::minmax_element(series.value.begin(), series.value.end());
        charts += fmt::format(
            "<figure><figcaption>{}</figcaption>{}</figure>\n", htmlEscaped(title),
            svgCounter({fmt::format("counter-{}", i), title,
                        fmt::format("{} samples from {:g} to {:g}", series.value.size(), *lowest, *highest)},
                       series, windowOf(measurements, series.device)));
    }
    if (!charts.empty())
        charts = htmlNote("Over the whole capture; the analysed time is shaded.") +
                 "<div class=\"counters\">\n" + charts + "</div>\n";
    return htmlSection("counters", "Counters", charts);
}

} // namespace tacho
