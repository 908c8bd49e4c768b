// SPDX-License-Identifier: Apache-2.0
#include "analyzer/report/text_report.h"
#include "analyzer/report/collective_text.h"

#include "analyzer/report/counter_text.h"
#include "analyzer/report/device_label.h"
#include "analyzer/report/resource_text.h"
#include "analyzer/report/step_text.h"
#include "analyzer/report/time_split.h"
#include "analyzer/rules/quantity_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <sstream>

namespace tacho {
namespace {

constexpr std::size_t kMostDevices = 4;
constexpr std::size_t kMostDevicesWithExchange = 2; ///< its lines say more of ranks than theirs
constexpr std::size_t kMostFindings = 3;
constexpr std::size_t kMostNotes = 2;
constexpr std::size_t kMostLines = 24;
constexpr std::size_t kFewestCells = 20, kMostCells = 50; // of a bar
constexpr char kNoBreak = '\x01';                         // a space that is not a place to break a line
constexpr std::size_t kUnitRoom = 3;                      // a unit stays with its number
constexpr std::string_view kIndent = "          ";        // as wide as the labels

std::vector<std::string> wrapped(const std::string& text, std::size_t width) {
    std::vector<std::string> lines(1);
    std::istringstream words(text);
    for (std::string word; words >> word;) {
        const bool isUnit = word.starts_with('%') || word == "ms";
        if (!isUnit && !lines.back().empty() && lines.back().size() + 1 + word.size() + kUnitRoom > width)
            lines.emplace_back();
        lines.back() += (lines.back().empty() ? "" : " ") + word;
    }
    for (std::string& line : lines)
        std::replace(line.begin(), line.end(), kNoBreak, ' ');
    return lines;
}

/// `text` after a label, wrapped, at most `mostLines` of it; what is cut ends in "...".
std::string labelled(const std::string& label, const std::string& text, std::size_t mostLines, int width) {
    auto lines = wrapped(text, static_cast<std::size_t>(width) - kIndent.size());
    if (lines.size() > mostLines) {
        lines.resize(mostLines);
        lines.back().resize(
            std::min(lines.back().size(), static_cast<std::size_t>(width) - kIndent.size() - 4));
        lines.back() += " ...";
    }
    std::string out;
    for (std::size_t i = 0; i < lines.size(); ++i)
        out += fmt::format("{:<{}}{}\n", i == 0 ? label : "", kIndent.size(), lines[i]);
    return out;
}

/// Letters in proportion to the parts; largest remainders get the cells that rounding left over.
std::string barOf(const TimeSplit& split, std::size_t cells) {
    const double total = std::accumulate(split.begin(), split.end(), 0.0, [](double sum, DurationNs part) {
        return sum + static_cast<double>(part.count());
    });
    if (total <= 0)
        return std::string(cells, ' ');
    std::array<std::size_t, kTimeParts> counts{};
    std::array<double, kTimeParts> remainders{};
    std::size_t used = 0;
    for (std::size_t part = 0; part < kTimeParts; ++part) {
        const double exact = static_cast<double>(split[part].count()) / total * static_cast<double>(cells);
        counts[part] = static_cast<std::size_t>(exact);
        remainders[part] = exact - static_cast<double>(counts[part]);
        used += counts[part];
    }
    for (; used < cells; ++used) {
        const auto next = std::max_element(remainders.begin(), remainders.end());
        ++counts[static_cast<std::size_t>(next - remainders.begin())];
        *next = -1;
    }
    std::string bar;
    for (std::size_t part = 0; part < kTimeParts; ++part)
        bar.append(counts[part], letterOf(static_cast<TimePart>(part)));
    return bar;
}

std::string legendText(const TimeShares& shares) {
    std::string text;
    for (std::size_t index = 0; index < kTimeParts; ++index) {
        const auto part = static_cast<TimePart>(index);
        if (shares[index] >= 0.0005)
            text += fmt::format("{0}{1}{4}{2}{4}{3:.1f}{4}%", text.empty() ? "" : ", ", letterOf(part),
                                nameOf(part), 100 * shares[index], kNoBreak);
    }
    return text;
}

std::string lengthAndName(const Trace& trace, const DeviceActivity& activity) {
    return fmt::format("{} {}", durationText(activity.steady.span),
                       trace.devices[static_cast<std::size_t>(activity.whole.device)].name);
}

std::string deviceLines(const Trace& trace, const Analysis& analysis, std::size_t most, int width) {
    const auto& devices = analysis.measurements.devices;
    if (devices.empty())
        return "";
    std::string out = labelled("time", legendText(shareTime(analysis.measurements)), 2, width);
    const std::size_t shown = std::min(devices.size(), most);
    std::size_t taken = kIndent.size() + kUnitRoom + 3;
    for (std::size_t i = 0; i < shown; ++i)
        taken = std::max(taken, kIndent.size() + kUnitRoom + 3 + lengthAndName(trace, devices[i]).size());
    const std::size_t room = std::max(static_cast<std::size_t>(width), taken) - taken;
    const std::size_t cells = std::clamp(room, kFewestCells, kMostCells);
    for (std::size_t i = 0; i < shown; ++i)
        out += labelled(
            "  " + deviceLabel(trace, devices[i]),
            fmt::format("|{}| {}", barOf(splitTime(devices[i]), cells), lengthAndName(trace, devices[i])), 1,
            width);
    if (devices.size() > most)
        out += fmt::format("{}and {} more like these (--format json lists them all)\n", kIndent,
                           devices.size() - most);
    return out;
}

/// Of several devices the first stands for all: ranks step together.
std::string stepLines(const Analysis& analysis, int width) {
    const StepSummary& steps = analysis.measurements.steps;
    const DeviceActivity& device = analysis.measurements.devices.front();
    std::string out = labelled("steps", stepsText(steps), 2, width);
    if (const std::string variation = variationText(device.variation, steps.steadySteps); !variation.empty())
        out += labelled("", variation, 2, width);
    if (const std::string parts = stepPartsText(device); !parts.empty())
        out += labelled("step", parts, 2, width);
    if (const std::string phases = phasesText(device.phases, steps.steadySteps); !phases.empty())
        out += labelled("phases", phases, 2, width);
    return out;
}

std::string resourceLines(const Trace& trace, const Analysis& analysis, int width) {
    const Measurements& measurements = analysis.measurements;
    std::string out;
    const CodeLoading* loading = noticeableLoading(measurements);
    if (loading && analysis.verdict.limit != Limit::Startup) // which says it
        out += labelled("start-up", codeLoadingText(trace, *loading), 2, width);
    if (const std::string memory = memoryText(measurements); !memory.empty())
        out += labelled("memory", memory, 1, width);
    return out;
}

/// `mostLines` of advice for each.
std::string findingLines(const std::vector<Finding>& findings, std::size_t mostLines, int width) {
    if (findings.empty())
        return labelled("advice", "none: no rule finds 2 % of the time or more to win", 1, width);
    std::string out;
    for (std::size_t i = 0; i < std::min(findings.size(), kMostFindings); ++i) {
        out += labelled(i == 0 ? "advice" : "", fmt::format("{}. {}", i + 1, findings[i].title), 2, width);
        if (!findings[i].advice.empty())
            out += labelled("", "-> " + findings[i].advice.front(), mostLines, width);
    }
    if (findings.size() > kMostFindings)
        out += fmt::format("{}and {} smaller (--format json lists them)\n", kIndent,
                           findings.size() - kMostFindings);
    return out;
}

std::string healthLines(const std::vector<HealthNote>& health, int width) {
    std::vector<const HealthNote*> notes;
    for (const HealthNote& note : health)
        if (note.severity != Severity::Info)
            notes.push_back(&note);
    std::stable_sort(notes.begin(), notes.end(),
                     [](const HealthNote* a, const HealthNote* b) { return a->severity > b->severity; });
    if (notes.empty())
        return labelled("health", "nothing was lost or left out", 1, width);
    std::string out;
    for (std::size_t i = 0; i < std::min(notes.size(), kMostNotes); ++i)
        out += labelled(i == 0 ? "health" : "", notes[i]->message, notes.size() == 1 ? 2 : 1, width);
    if (notes.size() > kMostNotes)
        out += fmt::format("{}and {} more notes\n", kIndent, notes.size() - kMostNotes);
    return out;
}

std::size_t lineCount(const std::string& text) {
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

std::string emphasised(const std::string& text, bool isGood) {
    return fmt::format("\x1b[1;{}m{}\x1b[0m", isGood ? 32 : 33, text);
}

} // namespace

std::string textReport(const Trace& trace, const Analysis& analysis, TextReportStyle style) {
    const Verdict& verdict = analysis.verdict;
    const bool hasDevices = !analysis.measurements.devices.empty();
    std::string head = labelled("verdict", fmt::format("{}. {}", nameOf(verdict.limit), verdict.text),
                                hasDevices ? 3 : 12, style.width);
    if (style.useColour)
        head = emphasised(head, verdict.limit == Limit::Healthy);
    if (!hasDevices)
        return head; // the health notes are in it
    head += stepLines(analysis, style.width);
    const std::string exchange =
        verdict.limit == Limit::Communication ? collectivesText(trace, analysis.measurements) : "";
    head +=
        deviceLines(trace, analysis, exchange.empty() ? kMostDevices : kMostDevicesWithExchange, style.width);
    if (!exchange.empty())
        head += labelled("exchange", exchange, 2, style.width);
    if (const std::string counters = countersText(analysis.measurements); !counters.empty())
        head += labelled("counters", counters, 2, style.width);
    head += resourceLines(trace, analysis, style.width);
    const std::string health = healthLines(trace.health, style.width);
    std::string advice;
    for (std::size_t mostLines = 4; mostLines >= 1; --mostLines) {
        advice = findingLines(analysis.findings, mostLines, style.width);
        if (lineCount(head) + lineCount(advice) + lineCount(health) <= kMostLines)
            break;
    }
    return head + advice + health;
}

} // namespace tacho
