// SPDX-License-Identifier: Apache-2.0
// Where the time went: step by step, in the usual step, and while the GPU was idle.
#include "analyzer/report/device_label.h"
#include "analyzer/report/html_parts.h"
#include "analyzer/report/html_sections.h"
#include "analyzer/report/html_text.h"
#include "analyzer/report/step_text.h"
#include "analyzer/report/svg_bar.h"
#include "analyzer/report/svg_steps.h"
#include "analyzer/rules/quantity_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace tacho {
namespace {

constexpr std::size_t kMostWithShares = 2; ///< devices; of more, the bars tell the shares

double shareOf(DurationNs part, DurationNs whole) {
    return static_cast<double>(part.count()) / static_cast<double>(std::max<std::int64_t>(whole.count(), 1));
}

/// Sum over all steps: only to tell which classes there are.
StepParts allParts(const std::vector<StepTime>& steps) {
    StepParts sum{};
    for (const StepTime& step : steps)
        for (std::size_t part = 0; part < kStepClasses; ++part)
            sum[part] += step.parts[part];
    return sum;
}

constexpr std::string_view kMedianItem = "<li><span class=\"dash\"></span>median</li>";
constexpr std::string_view kMedianAndSlowItems =
    "<li><span class=\"dash\"></span>median</li><li><span class=\"mark\">\xe2\x96\xbc</span>slow</li>";

std::string stepChart(const Trace& trace, const StepSummary& summary, const DeviceActivity& activity,
                      std::size_t number) {
    const std::string label = deviceLabel(trace, activity);
    const std::string parts = stepPartsText(activity);
    std::string html =
        svgSteps({fmt::format("steps-{}", number), fmt::format("Length of each recorded step, {}", label),
                  "A bar per step, stacked by class. Usual step: " + parts},
                 summary, activity);
    html += htmlLegend(allParts(activity.steps),
                       activity.variation.slow.empty() ? kMedianItem : kMedianAndSlowItems);
    html += htmlNote(variationText(activity.variation, summary.steadySteps));
    if (const std::size_t each = stepsPerBar(activity); each > 1)
        html += htmlNote(fmt::format("Each bar is the longest of {} steps.", each));
    return html;
}

/// Classes with time on any of the devices, in their order.
std::vector<std::size_t> classesOf(const std::vector<StepParts>& devices) {
    std::vector<std::size_t> classes;
    for (std::size_t part = 0; part < kStepClasses; ++part)
        if (std::any_of(devices.begin(), devices.end(),
                        [&](const StepParts& parts) { return parts[part].count() > 0; }))
            classes.push_back(part);
    return classes;
}

HtmlTable breakdownTable(const Trace& trace, const Measurements& measurements,
                         const std::vector<StepParts>& devices) {
    HtmlTable table{"Time by class", {{"Class"}}, {}};
    const bool hasShares = devices.size() <= kMostWithShares;
    for (std::size_t i = 0; i < devices.size(); ++i) {
        table.columns.push_back({deviceLabel(trace, measurements.devices[i]), true});
        if (hasShares)
            table.columns.push_back({"Share", true});
    }
    for (const std::size_t part : classesOf(devices)) {
        std::vector<std::string> row = {htmlClassName(static_cast<StepClass>(part))};
        for (const StepParts& parts : devices) {
            row.push_back(durationText(parts[part]));
            if (hasShares)
                row.push_back(percentText(shareOf(parts[part], totalOf(parts))));
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

/// Ends the sentence "The GPU is idle while ..."; docs/RULES.md says more.
std::string_view meaningOf(IdleCause cause) {
    static constexpr std::array<std::string_view, kIdleCauses> kMeanings = {
        "GPU code is loaded or compiled",
        "the profiler works for itself",
        "the host is in a call that copies",
        "the next work has been issued and is on its way",
        "the next work waits for another stream or an event",
        "the next work has no launch in the file",
        "the host is in gloo or MPI",
        "the host loads the next batch",
        "the host allocates, frees or registers memory",
        "the host waits for the GPU, or has just let it run dry",
        "the host is in another CUDA call that launches nothing",
        "the host runs other code, such as Python"};
    return kMeanings[static_cast<std::size_t>(cause)];
}

struct IdleSum {
    IdleCause cause{};
    DurationNs time{0}, longest{0};
    std::size_t gaps = 0;
};

/// Over all devices, longest first.
std::vector<IdleSum> idleSums(const Measurements& measurements) {
    std::vector<IdleSum> sums;
    for (std::size_t index = 0; index < kIdleCauses; ++index) {
        IdleSum sum{static_cast<IdleCause>(index)};
        for (const DeviceActivity& activity : measurements.devices) {
            const IntervalSet& part = activity.idle.parts[index];
            sum.time += part.totalLength();
            sum.gaps += part.intervals().size();
            if (const auto longest = part.longest())
                sum.longest = std::max(sum.longest, longest->length());
        }
        if (sum.time.count() > 0)
            sums.push_back(sum);
    }
    std::stable_sort(sums.begin(), sums.end(),
                     [](const IdleSum& a, const IdleSum& b) { return a.time > b.time; });
    return sums;
}

} // namespace

std::string htmlSteps(const Trace& trace, const Measurements& measurements) {
    if (measurements.devices.empty() || measurements.devices.front().steps.size() < 2)
        return ""; // a single one is the usual step
    std::string html = htmlNote(stepsText(measurements.steps));
    html += stepChart(trace, measurements.steps, measurements.devices.front(), 0);
    for (std::size_t i = 1; i < shownDevices(measurements).size(); ++i)
        html += fmt::format("<details><summary>{}</summary>\n{}</details>\n",
                            deviceLabel(trace, measurements.devices[i]),
                            stepChart(trace, measurements.steps, measurements.devices[i], i));
    return htmlSection("steps", "Steps",
                       html + htmlRest(shownDevices(measurements).size(), measurements.devices.size(), "GPUs",
                                       "tacho stats FILE steps"));
}

std::string htmlBreakdown(const Trace& trace, const Measurements& measurements) {
    std::vector<StepParts> devices;
    std::string bars;
    for (std::size_t i = 0; i < shownDevices(measurements).size(); ++i) {
        const DeviceActivity& activity = measurements.devices[i];
        devices.push_back(activity.usual);
        const std::string label = deviceLabel(trace, activity);
        bars += fmt::format("<div class=\"bar\"><span>{}, {}</span>{}</div>\n", label,
                            durationText(totalOf(devices.back())),
                            svgBar({fmt::format("breakdown-{}", i), "Where the time goes, " + label,
                                    partsText(devices.back())},
                                   devices.back()));
    }
    if (bars.empty())
        return "";
    return htmlSection(
        "breakdown",
        measurements.devices.front().steps.empty() ? "Where the analysed time goes"
                                                   : "Where the usual step goes",
        bars + htmlTable(breakdownTable(trace, measurements, devices)) +
            htmlRest(devices.size(), measurements.devices.size(), "GPUs", "tacho stats FILE breakdown"));
}

std::string htmlIdle(const Measurements& measurements) {
    const std::vector<IdleSum> sums = idleSums(measurements);
    DurationNs windows{0};
    for (const DeviceActivity& activity : measurements.devices)
        windows += activity.steady.span;
    HtmlTable table{"Idle time by cause",
                    {{"Cause"},
                     {""},
                     {"Share", true},
                     {"Time", true},
                     {"Gaps", true},
                     {"Longest", true},
                     {"The GPU is idle while"}},
                    {}};
    for (const IdleSum& sum : sums) {
        const StepClass of = stepClassOf(sum.cause);
        table.rows.push_back({htmlClassName(of), svgShare(of, shareOf(sum.time, sums.front().time)),
                              percentText(shareOf(sum.time, windows)), durationText(sum.time),
                              fmt::format("{}", sum.gaps), durationText(sum.longest),
                              fmt::format("<span class=\"meaning\">{}</span>", meaningOf(sum.cause))});
    }
    return htmlSection("idle", "Why the GPU is idle", htmlTable(table));
}

} // namespace tacho
