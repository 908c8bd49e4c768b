// SPDX-License-Identifier: Apache-2.0
// What the reader needs first: the verdict, a few figures, and what to do.
#include "analyzer/report/html_parts.h"
#include "analyzer/report/html_sections.h"
#include "analyzer/report/html_text.h"
#include "analyzer/rules/quantity_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace tacho {
namespace {

std::string_view titleOf(Limit limit) {
    static constexpr std::string_view kTitles[] = {"Limited by the host",
                                                   "Limited by the input",
                                                   "Limited by copies",
                                                   "Limited by waiting",
                                                   "Limited by communication",
                                                   "Limited by the kernels",
                                                   "Limited by memory bandwidth",
                                                   "Start-up",
                                                   "Healthy",
                                                   "No GPU activity"};
    return kTitles[static_cast<std::size_t>(limit)];
}

std::string figure(std::string_view name, const std::string& value, const std::string& remark) {
    return fmt::format("<div><dt>{}</dt><dd>{}<small>{}</small></dd></div>\n", name, htmlEscaped(value),
                       htmlEscaped(remark));
}

std::string stepFigures(const StepSummary& steps) {
    if (steps.steps.empty())
        return "";
    std::string html = figure("Step", durationText(steps.median),
                              fmt::format("median of {}, p95 {}",
                                          countText(static_cast<std::int64_t>(steps.steadySteps), "step"),
                                          durationText(steps.p95)));
    if (const auto& cost = steps.recordingCost)
        html += figure("Step at full speed", durationText(cost->unprofiledMedian),
                       fmt::format("recording adds {:.0f} %", std::max(0.0, 100 * cost->addedShare())));
    else if (steps.unprofiledMedian)
        html += figure("Step at full speed", durationText(*steps.unprofiledMedian), "not recorded");
    return html;
}

std::string gpuFigures(const Measurements& measurements) {
    const auto share = [&](auto part) { return shareOfWindows(measurements, part); };
    const TimeShare idle = share([](const DeviceActivity& a) { return a.steady.idle; });
    const TimeShare compute = share([](const DeviceActivity& a) { return a.steady.compute; });
    const TimeShare tensor = share([](const DeviceActivity& a) { return a.tensor.tensor; });
    const TimeShare unknown = share([](const DeviceActivity& a) { return a.tensor.unknown; });
    const TimeShare exposed = share([](const DeviceActivity& a) { return a.steady.communicationExposed; });
    const std::string of = measurements.devices.size() == 1
                               ? "of the analysed time"
                               : fmt::format("of the time of {} GPUs", measurements.devices.size());
    std::string html = figure("GPU idle", percentText(idle.share), of);
    html += figure("Kernels", percentText(compute.share), of);
    html += figure("Tensor cores", percentText(tensor.share),
                   fmt::format("of the time; {} cannot be told", percentText(unknown.share)));
    if (exposed.share > 0)
        html += figure("Communication", percentText(exposed.share), "with nothing to hide it");
    return html;
}

/// "median_kernel_ns" is "median kernel"; the unit is in the value.
std::string evidenceName(std::string name) {
    for (const std::string_view unit : {"_ns", "_bytes", "_share"})
        if (name.ends_with(unit))
            name.resize(name.size() - unit.size());
    std::replace(name.begin(), name.end(), '_', ' ');
    return name;
}

std::string evidenceText(const std::string& name, const EvidenceValue& value) {
    if (const auto* text = std::get_if<std::string>(&value))
        return *text;
    if (const auto* number = std::get_if<double>(&value))
        return name.ends_with("_share") ? percentText(*number) : fmt::format("{:.3g}", *number);
    const std::int64_t count = std::get<std::int64_t>(value);
    return name.ends_with("_ns")      ? durationText(DurationNs{count})
           : name.ends_with("_bytes") ? bytesText(count)
                                      : fmt::format("{}", count);
}

std::string evidenceOf(const Finding& finding) {
    std::string html;
    for (const auto& [name, value] : finding.evidence)
        html += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>", htmlEscaped(evidenceName(name)),
                            htmlEscaped(evidenceText(name, value)));
    return "<dl class=\"evidence\">" + html + "</dl>\n";
}

std::string gainOf(const Finding& finding) {
    if (const auto& gain = finding.predicted)
        return fmt::format(
            "<p class=\"gain\">Predicted: {:.2f} times as fast ({:.2f} to {:.2f}), step {}, then "
            "limited by {}.</p>\n",
            gain->speedup, gain->low, gain->high, durationText(gain->step), htmlEscaped(gain->limit));
    return fmt::format("<p class=\"gain\">At most {} of the time would be gone.</p>\n",
                       percentText(finding.atMost.share));
}

std::string findingItem(const Finding& finding) {
    std::string advice;
    for (const std::string& action : finding.advice)
        advice += fmt::format("<li>{}</li>", htmlEscaped(action));
    if (!advice.empty())
        advice = "<ol class=\"advice\">" + advice + "</ol>\n";
    return fmt::format("<li class=\"finding {0}\"><h3><span class=\"severity\">{0}</span> {1}</h3>\n{2}{3}"
                       "<details><summary>Evidence (rule <code>{4}</code>)</summary>\n{5}</details></li>\n",
                       nameOf(finding.severity), htmlEscaped(finding.title), advice, gainOf(finding),
                       htmlEscaped(finding.rule), evidenceOf(finding));
}

} // namespace

std::string htmlVerdict(const Trace& trace, const Analysis& analysis) {
    const Verdict& verdict = analysis.verdict;
    std::string html = fmt::format("<div class=\"verdict {}\">\n<h2>{}</h2>\n<p>{}</p>\n</div>\n",
                                   nameOf(verdict.limit), titleOf(verdict.limit), htmlEscaped(verdict.text));
    if (analysis.measurements.devices.empty())
        return html;
    html += "<dl class=\"figures\">\n" + stepFigures(analysis.measurements.steps) +
            gpuFigures(analysis.measurements) + "</dl>\n";
    const auto losses = std::count_if(trace.health.begin(), trace.health.end(), [](const HealthNote& note) {
        return note.severity >= Severity::DataLoss;
    });
    if (losses > 0)
        html += fmt::format("<p class=\"losses\">This capture is not complete: see <a "
                            "href=\"#health\">{}</a>.</p>\n",
                            countText(losses, "note"));
    return html;
}

std::string htmlFindings(const Analysis& analysis) {
    if (analysis.measurements.devices.empty())
        return "";
    std::string items;
    for (const Finding& finding : analysis.findings)
        items += findingItem(finding);
    return htmlSection("findings", "What to change",
                       items.empty() ? htmlNote("No rule finds 2 % of the time or more to win.")
                                     : "<ol class=\"findings\">\n" + items + "</ol>\n");
}

} // namespace tacho
