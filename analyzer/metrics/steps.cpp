// SPDX-License-Identifier: Apache-2.0
#include "analyzer/metrics/steps.h"

#include "analyzer/metrics/collective_steps.h"
#include "analyzer/metrics/intervals.h"
#include "analyzer/metrics/micro_steps.h"
#include "analyzer/metrics/periodic_steps.h"
#include "analyzer/metrics/quantile.h"
#include "analyzer/model/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <map>
#include <span>
#include <string>

namespace tacho {
namespace {

constexpr double kWarmUpFactor = 1.5;
constexpr std::size_t kFewestSteps = 2;

std::vector<StepMark> stepsWith(bool profiled, const std::vector<StepMark>& steps) {
    std::vector<StepMark> found;
    std::copy_if(steps.begin(), steps.end(), std::back_inserter(found),
                 [&](const StepMark& step) { return step.profiled == profiled; });
    return found;
}

std::vector<DurationNs> lengths(std::span<const StepMark> steps) {
    std::vector<DurationNs> found;
    for (const StepMark& step : steps)
        found.push_back(step.interval.length());
    return found;
}

std::vector<StepMark> marksOfBusiestProcess(const std::vector<StepMark>& marks) {
    std::map<ProcessIndex, std::size_t> counts;
    for (const StepMark& mark : marks)
        ++counts[mark.process];
    const auto most = std::max_element(counts.begin(), counts.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    std::vector<StepMark> steps;
    for (const StepMark& mark : marks)
        if (mark.process == most->first)
            steps.push_back(mark);
    return steps;
}

/// "step 12", "train_step", "ProfilerStep#3", "iteration 7": the name without its number, or "" if it is
/// none.
std::string stepFamily(std::string_view name) {
    std::string family;
    for (const char c : name)
        if (!std::isdigit(static_cast<unsigned char>(c)))
            family += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    const bool isStep = family.find("step") != std::string::npos || family.find("iter") != std::string::npos;
    const bool isPartOfOne = family.find("optimizer") != std::string::npos ||
                             family.find("dataloader") != std::string::npos ||
                             family.starts_with("nn.module:") || family.size() > 24;
    return isStep && !isPartOfOne ? family : "";
}

/// Ranges of one family on one thread that follow each other.
std::vector<StepMark> stepsFromRangeNames(const Trace& trace) {
    std::map<std::pair<ThreadIndex, std::string>, std::vector<StepMark>> families;
    for (std::size_t row = 0; row < trace.ranges.size(); ++row) {
        const RangeKind kind = trace.ranges.kind[row];
        if ((kind != RangeKind::Nvtx && kind != RangeKind::NvtxStartEnd && kind != RangeKind::Annotation) ||
            trace.ranges.thread[row] == kNoThread)
            continue;
        const std::string family = stepFamily(trace.text(trace.ranges.name[row]));
        if (family.empty())
            continue;
        const ThreadIndex thread = trace.ranges.thread[row];
        auto& steps = families[{thread, family}];
        const Interval interval = trace.ranges.interval(row);
        if (steps.empty() || steps.back().interval.end <= interval.start)
            steps.push_back({trace.threads[static_cast<std::size_t>(thread)].process, thread,
                             static_cast<std::int64_t>(steps.size()), interval, true});
    }
    std::vector<StepMark> best;
    DurationNs bestTotal{0};
    for (auto& [key, steps] : families) {
        DurationNs total{0};
        for (const StepMark& step : steps)
            total += step.interval.length();
        if (steps.size() >= kFewestSteps && total > bestTotal) {
            bestTotal = total;
            best = std::move(steps);
        }
    }
    return best;
}

/// A step lasts from the end of one optimizer step to the end of the next; the first has no known start.
std::vector<StepMark> stepsFromOptimizer(const Trace& trace) {
    std::map<std::pair<ThreadIndex, StringId>, std::vector<TimeNs>> ends;
    for (std::size_t row = 0; row < trace.ranges.size(); ++row)
        if (trace.ranges.kind[row] == RangeKind::Annotation && trace.ranges.thread[row] != kNoThread &&
            trace.text(trace.ranges.name[row]).starts_with("Optimizer.step#"))
            ends[{trace.ranges.thread[row], trace.ranges.name[row]}].push_back(trace.ranges.end[row]);
    std::vector<StepMark> steps;
    for (const auto& [key, times] : ends) {
        if (times.size() <= kFewestSteps || times.size() <= steps.size() + 1)
            continue;
        const auto process = trace.threads[static_cast<std::size_t>(key.first)].process;
        steps.clear();
        for (std::size_t i = 1; i < times.size(); ++i)
            steps.push_back(
                {process, key.first, static_cast<std::int64_t>(i), {times[i - 1], times[i]}, true});
    }
    return steps;
}

/// Ranges are recorded outside of windows, too.
bool isRecorded(const Trace& trace, const StepMark& step) {
    const auto ofProcess = std::equal_range(
        trace.windows.begin(), trace.windows.end(), RecordedWindow{step.process, {}},
        [](const RecordedWindow& a, const RecordedWindow& b) { return a.process < b.process; });
    DurationNs inside{0};
    for (auto window = ofProcess.first; window != ofProcess.second; ++window)
        inside += clip(window->interval, step.interval).length();
    return ofProcess.first == ofProcess.second || inside * 2 >= step.interval.length();
}

std::vector<StepMark> unmarkedSteps(const Trace& trace) {
    std::vector<StepMark> steps = findPeriodicSteps(trace);
    if (!steps.empty())
        return joinMicroSteps(trace, std::move(steps));
    steps = findCollectiveSteps(trace);
    std::erase_if(steps, [&](const StepMark& step) { return !isRecorded(trace, step); });
    return steps;
}

void useSteady(StepSummary& summary, std::span<const StepMark> steady) {
    summary.firstSteady = steady.front().index;
    summary.lastSteady = steady.back().index;
    summary.steadySteps = steady.size();
    summary.steady = Interval{steady.front().interval.start, steady.back().interval.end};
    summary.median = quantile(lengths(steady), 0.5);
    summary.p95 = quantile(lengths(steady), 0.95);
}

void findSteadySteps(StepSummary& summary) {
    const std::vector<StepMark> recorded = stepsWith(true, summary.steps);
    const DurationNs median = quantile(lengths(recorded), 0.5);
    const auto first = std::find_if_not(recorded.begin(), recorded.end(), [&](const StepMark& step) {
        return static_cast<double>(step.interval.length().count()) >
               kWarmUpFactor * static_cast<double>(median.count());
    });
    summary.warmUpSteps = static_cast<std::size_t>(first - recorded.begin());
    const std::span<const StepMark> steady(first, recorded.end());
    if (!steady.empty())
        useSteady(summary, steady);
}

void chooseSteps(StepSummary& summary, StepRange range) {
    const std::vector<StepMark> recorded = stepsWith(true, summary.steps);
    std::vector<StepMark> chosen;
    std::copy_if(recorded.begin(), recorded.end(), std::back_inserter(chosen),
                 [&](const StepMark& step) { return step.index >= range.first && step.index <= range.last; });
    if (chosen.empty())
        throw Error(recorded.empty()
                        ? std::string("no steps were found in this capture, so none can be chosen")
                        : fmt::format("no recorded step has a number from {} to {}: they are {} to {}",
                                      range.first, range.last, recorded.front().index, recorded.back().index),
                    ExitStatus::Usage);
    summary.isChosen = true;
    useSteady(summary, chosen);
}

void compareWithFullSpeed(const Trace& trace, StepSummary& summary) {
    summary.recordingCost = measureRecordingCost(trace, summary.steps.front().process);
    if (summary.recordingCost)
        summary.unprofiledMedian = summary.recordingCost->unprofiledMedian;
    else if (const auto unprofiled = stepsWith(false, summary.steps); !unprofiled.empty())
        summary.unprofiledMedian = quantile(lengths(unprofiled), 0.5);
}

} // namespace

std::string_view nameOf(StepSource source) {
    static constexpr std::string_view kNames[] = {"none", "optimizer", "annotation", "nvtx", "periodic"};
    return kNames[static_cast<std::size_t>(source)];
}

StepSummary summariseSteps(const Trace& trace, std::optional<StepRange> range) {
    StepSummary summary;
    if (!trace.steps.empty()) {
        summary.source = trace.stepSource;
        summary.steps = marksOfBusiestProcess(trace.steps);
    } else if (auto steps = stepsFromOptimizer(trace); !steps.empty()) {
        summary.source = StepSource::Optimizer;
        summary.steps = std::move(steps);
    } else if (auto named = stepsFromRangeNames(trace); !named.empty()) {
        summary.source = StepSource::Nvtx;
        summary.steps = std::move(named);
        for (StepMark& step : summary.steps)
            step.profiled = isRecorded(trace, step);
    } else if (auto periodic = unmarkedSteps(trace); periodic.size() >= kFewestSteps) {
        summary.source = StepSource::Periodic;
        summary.steps = std::move(periodic);
    }
    if (range)
        chooseSteps(summary, *range);
    else
        findSteadySteps(summary);
    if (!summary.steps.empty())
        compareWithFullSpeed(trace, summary);
    return summary;
}

Interval analysedWindow(const StepSummary& steps, Interval deviceSpan) {
    if (!steps.steady)
        return deviceSpan;
    if (steps.isChosen)
        return clip(*steps.steady, deviceSpan);
    Interval window = deviceSpan;
    const DurationNs margin = steps.median * 3 / 2; // one step of unknown start, and what the GPU lags behind
    if (steps.warmUpSteps > 0 || steps.steady->start - deviceSpan.start > margin)
        window.start = std::max(deviceSpan.start, steps.steady->start);
    if (deviceSpan.end - steps.steady->end > margin)
        window.end = steps.steady->end;
    return window.start < window.end ? window : deviceSpan;
}

} // namespace tacho
