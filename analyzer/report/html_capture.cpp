// SPDX-License-Identifier: Apache-2.0
// What was recorded, and what is wrong with it.
#include "analyzer/report/html_parts.h"
#include "analyzer/report/html_sections.h"
#include "analyzer/report/html_text.h"
#include "analyzer/rules/quantity_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace tacho {
namespace {

constexpr std::size_t kMostProcesses = 16;

std::string_view titleOf(Source source) {
    static constexpr std::string_view kTitles[] = {"recorded by tacho", "Nsight Systems export",
                                                   "PyTorch profiler trace"};
    return kTitles[static_cast<std::size_t>(source)];
}

std::string_view titleOf(Severity severity) {
    static constexpr std::string_view kTitles[] = {"note", "warning", "data loss", "error"};
    return kTitles[static_cast<std::size_t>(severity)];
}

std::string item(std::string_view name, std::string_view value) {
    return value.empty()
               ? ""
               : fmt::format("<div><dt>{}</dt><dd>{}</dd></div>", htmlEscaped(name), htmlEscaped(value));
}

std::string gpuText(const Device& device) {
    std::string text = device.name.empty() ? "unknown model" : device.name;
    if (device.memoryBytes > 0)
        text += ", " + bytesText(device.memoryBytes);
    if (device.smCount > 0)
        text += fmt::format(", {} SMs", device.smCount);
    if (device.computeMajor > 0)
        text += fmt::format(", compute capability {}.{}", device.computeMajor, device.computeMinor);
    return text;
}

std::string processTitle(const Process& process) {
    std::string title = fmt::format("Process {}", process.pid);
    if (process.rank)
        title += fmt::format(", rank {}", *process.rank);
    if (process.worldSize)
        title += fmt::format(" of {}", *process.worldSize);
    return title;
}

std::string processPart(const Trace& trace, std::size_t index) {
    const Process& process = trace.processes[index];
    std::string html = item("Name", process.name) + item("Command", process.commandLine) +
                       item("File", trace.files.size() > 1 ? process.file : "");
    for (const Device& device : trace.devices)
        if (static_cast<std::size_t>(device.process) == index)
            html += item(fmt::format("GPU {}", device.id), gpuText(device));
    for (const auto& [name, value] : process.facts)
        html += item(name, value);
    return html.empty()
               ? ""
               : fmt::format("<h3>{}</h3>\n<dl class=\"facts\">{}</dl>\n", processTitle(process), html);
}

} // namespace

std::string htmlCapture(const Trace& trace) {
    const std::string file = trace.files.size() == 1 ? trace.files.front() : ""; // else with its process
    std::string html = "<dl class=\"facts\">" + item("File", file) + item("Source", titleOf(trace.source)) +
                       item("Format", trace.formatVersion) +
                       item("Kernels, copies and sets", fmt::format("{}", trace.gpuOps.size())) +
                       item("CUDA calls", fmt::format("{}", trace.apiCalls.size())) + "</dl>\n";
    const std::size_t shown = std::min(trace.processes.size(), kMostProcesses);
    for (std::size_t i = 0; i < shown; ++i)
        html += processPart(trace, i);
    return htmlSection(
        "capture", "The capture",
        html + htmlRest(shown, trace.processes.size(), "processes", "tacho report FILE --format json"));
}

std::string htmlHealth(const Trace& trace) {
    std::vector<const HealthNote*> notes;
    for (const HealthNote& note : trace.health)
        notes.push_back(&note);
    std::stable_sort(notes.begin(), notes.end(),
                     [](const HealthNote* a, const HealthNote* b) { return a->severity > b->severity; });
    HtmlTable table{"Health of the capture", {{"Severity"}, {"Count", true}, {"Note"}, {"Code"}}, {}};
    for (const HealthNote* note : notes)
        table.rows.push_back({std::string(titleOf(note->severity)), fmt::format("{}", note->count),
                              htmlEscaped(note->message), "<code>" + htmlEscaped(note->code) + "</code>"});
    return htmlSection("health", "Health of the capture",
                       notes.empty() ? htmlNote("Nothing was lost or left out.") : htmlTable(table));
}

} // namespace tacho
