// SPDX-License-Identifier: Apache-2.0
#include "analyzer/report/json_report.h"
#include "analyzer/model/collective_kind.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace tacho {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kReportFormat = 1;

std::string_view nameOf(Source source) {
    static constexpr std::string_view kNames[] = {"tacho", "nsys", "kineto"};
    return kNames[static_cast<std::size_t>(source)];
}
std::string_view nameOf(Severity severity) {
    static constexpr std::string_view kNames[] = {"info", "warning", "data_loss", "error"};
    return kNames[static_cast<std::size_t>(severity)];
}

/// First start to last end of all GPU work.
std::int64_t spanOf(const GpuOps& ops) {
    if (ops.size() == 0)
        return 0;
    const TimeNs last = *std::max_element(ops.end.begin(), ops.end.end());
    return (last - ops.start.front()).count();
}

Json captureJson(const Trace& trace) {
    Json gpus = Json::array();
    for (const Device& device : trace.devices)
        gpus.push_back(
            {{"id", device.id},
             {"name", device.name},
             {"memory_bytes", device.memoryBytes},
             {"sm_count", device.smCount},
             {"compute_capability", fmt::format("{}.{}", device.computeMajor, device.computeMinor)}});
    Json health = Json::array();
    for (const HealthNote& note : trace.health)
        health.push_back({{"severity", nameOf(note.severity)},
                          {"code", note.code},
                          {"count", note.count},
                          {"message", note.message}});
    return {{"source", nameOf(trace.source)},
            {"span_ns", spanOf(trace.gpuOps)},
            {"processes", trace.processes.size()},
            {"gpus", gpus},
            {"health", health}};
}

Json calibrationJson(const std::optional<RecordingCost>& cost) {
    if (!cost)
        return nullptr;
    return {{"unprofiled_median_ns", cost->unprofiledMedian.count()},
            {"unprofiled_q1_ns", cost->unprofiledQ1.count()},
            {"unprofiled_q3_ns", cost->unprofiledQ3.count()},
            {"profiled_median_ns", cost->profiledMedian.count()},
            {"blocks", cost->unprofiledBlocks},
            {"added_share", cost->addedShare()}};
}

Json partsJson(const StepParts& parts) {
    Json json = Json::object();
    for (std::size_t part = 0; part < kStepClasses; ++part)
        if (parts[part].count() > 0)
            json[std::string(nameOf(static_cast<StepClass>(part))) + "_ns"] = parts[part].count();
    return json;
}

Json variationJson(const StepVariation& variation) {
    Json json = {{"q1_ns", variation.q1.count()},
                 {"median_ns", variation.median.count()},
                 {"q3_ns", variation.q3.count()},
                 {"slow_steps", variation.slow},
                 {"every", variation.every ? Json(*variation.every) : Json(nullptr)}};
    if (!variation.slow.empty()) {
        json["slow_median_ns"] = variation.slowMedian.count();
        json["cause"] = nameOf(variation.cause);
        json["growth_ns"] = variation.growth.count();
    }
    return json;
}

/// Classes without time are left out.
Json stepBreakdownJson(const DeviceActivity& activity) {
    Json steps = Json::array();
    for (const StepTime& step : activity.steps) {
        Json row = {{"index", step.index},
                    {"start_ns", toNs(step.interval.start)},
                    {"length_ns", step.interval.length().count()}};
        row.update(partsJson(step.parts));
        steps.push_back(std::move(row));
    }
    return {{"mean", partsJson(activity.usual)},
            {"variation", variationJson(activity.variation)},
            {"steps", std::move(steps)}};
}

Json phaseJson(const PhaseTime& time) {
    return {{"host_ns", time.host.count()}, {"gpu_ns", time.gpu.count()}, {"gpu_ops", time.gpuOps}};
}

Json phasesJson(const PhaseSplit& split) {
    Json json = Json::object();
    for (std::size_t phase = 0; phase < kPhases; ++phase)
        json[std::string(nameOf(static_cast<Phase>(phase)))] = phaseJson(split.phases[phase]);
    json["other"] = phaseJson(split.other);
    return json;
}

Json stepsJson(const StepSummary& steps) {
    Json unprofiled = nullptr;
    if (steps.unprofiledMedian)
        unprofiled = steps.unprofiledMedian->count();
    return {{"count", steps.steps.size()},
            {"source", nameOf(steps.source)},
            {"median_ns", steps.median.count()},
            {"p95_ns", steps.p95.count()},
            {"first_steady", steps.firstSteady},
            {"last_steady", steps.lastSteady},
            {"steady_count", steps.steadySteps},
            {"unprofiled_median_ns", unprofiled},
            {"calibration", calibrationJson(steps.recordingCost)}};
}

Json memoryJson(const MemoryUse& use) {
    const auto known = [](std::int64_t bytes) { return bytes > 0 ? Json(bytes) : Json(nullptr); };
    return {{"total_bytes", known(use.totalBytes)},
            {"peak_allocated_bytes", known(use.peakAllocatedBytes)},
            {"peak_reserved_bytes", known(use.peakReservedBytes)},
            {"peak_cuda_bytes", known(use.peakCudaBytes)},
            {"allocation_calls", use.calls},
            {"allocation_call_ns", use.callTime.count()}};
}

Json startUpJson(const Trace& trace, const std::vector<CodeLoading>& rows) {
    Json processes = Json::array();
    for (const CodeLoading& loading : rows)
        processes.push_back({{"process", trace.processes[static_cast<std::size_t>(loading.process)].pid},
                             {"code_ns", loading.total.count()},
                             {"compile_ns", loading.compiling.count()},
                             {"module_load_ns", loading.loadingModules.count()},
                             {"function_load_ns", loading.loadingFunctions.count()},
                             {"compiled_units", loading.compiledUnits},
                             {"cached_units", loading.cachedUnits},
                             {"modules", loading.loadedModules}});
    return processes;
}

Json countersJson(const CounterSummary& summary) {
    Json counters = Json::array();
    for (const CounterFigures& figures : summary.counters)
        counters.push_back({{"name", figures.name},
                            {"samples", figures.samples},
                            {"median", figures.median},
                            {"highest", figures.highest}});
    return counters;
}

template <class Value>
Json orNull(const std::optional<Value>& value) {
    return value ? Json(*value) : Json(nullptr);
}

Json orNull(const std::optional<DurationNs>& time) {
    return time ? Json(time->count()) : Json(nullptr);
}

Json collectivesJson(const Trace& trace, const std::vector<CollectiveSummary>& summaries) {
    Json rows = Json::array();
    for (const CollectiveSummary& summary : summaries) {
        const CollectiveRun& like = summary.like;
        const Process& process = trace.processes[static_cast<std::size_t>(like.process)];
        rows.push_back(
            {{"process", process.pid},
             {"rank", orNull(process.rank)},
             {"device",
              like.device ? Json(trace.devices[static_cast<std::size_t>(*like.device)].id) : Json(nullptr)},
             {"kind", nameOf(like.kind)},
             {"backend", like.backend},
             {"group", trace.text(like.group)},
             {"group_ranks", like.ranks > 0 ? Json(like.ranks) : Json(nullptr)},
             {"size_bytes", like.bytes >= 0 ? Json(like.bytes) : Json(nullptr)},
             {"count", summary.count},
             {"time_ns", summary.time.count()},
             {"exposed_ns", summary.exposed.count()},
             {"shortest_ns", summary.shortest.count()},
             {"wait_ns", orNull(summary.wait)},
             {"transfer_ns", orNull(summary.transfer)},
             {"algorithm_bytes_per_s", orNull(summary.algorithmBandwidth())},
             {"bus_bytes_per_s", orNull(summary.busBandwidth())}});
    }
    return rows;
}

Json deviceJson(const Trace& trace, const DeviceActivity& activity) {
    const DeviceBreakdown& whole = activity.whole;
    Json rank = nullptr;
    if (whole.rank)
        rank = *whole.rank;
    Json causes = Json::object();
    for (std::size_t cause = 0; cause < kIdleCauses; ++cause)
        causes[std::string(nameOf(static_cast<IdleCause>(cause)))] =
            activity.wholeIdle.length(static_cast<IdleCause>(cause)).count();
    Json json = {{"device", trace.devices[static_cast<std::size_t>(whole.device)].id},
                 {"process", trace.processes[static_cast<std::size_t>(whole.process)].pid},
                 {"rank", rank},
                 {"events", whole.events},
                 {"span_ns", whole.span.count()},
                 {"busy_ns", whole.busy.count()},
                 {"idle_ns", whole.idle.count()},
                 {"compute_ns", whole.compute.count()},
                 {"communication_ns", whole.communication.count()},
                 {"communication_exposed_ns", whole.communicationExposed.count()},
                 {"memory_ns", whole.memory.count()},
                 {"h2d_ns", whole.h2d.count()},
                 {"d2h_ns", whole.d2h.count()},
                 {"h2d_bytes", whole.h2dBytes},
                 {"d2h_bytes", whole.d2hBytes},
                 {"pageable_copies", whole.pageableCopies},
                 {"tensor_ns", activity.wholeTensor.tensor.count()},
                 {"not_tensor_ns", activity.wholeTensor.notTensor.count()},
                 {"unknown_ns", activity.wholeTensor.unknown.count()},
                 {"idle_by_cause", causes},
                 {"memory", memoryJson(activity.memory)}};
    if (activity.slowdown)
        json["overlap_slowdown"] = {{"kernels", activity.slowdown->kernels},
                                    {"beside_ns", activity.slowdown->beside.count()},
                                    {"alone_ns", activity.slowdown->alone.count()}};
    if (activity.phases.isKnown())
        json["phases"] = phasesJson(activity.phases);
    if (!activity.steps.empty())
        json["step_breakdown"] = stepBreakdownJson(activity);
    if (!activity.counters.counters.empty())
        json["counters"] = countersJson(activity.counters);
    if (activity.counters.throttled)
        json["throttled_share"] = *activity.counters.throttled;
    return json;
}

Json evidenceJson(const Finding& finding) {
    Json evidence = Json::object();
    for (const auto& [name, value] : finding.evidence)
        std::visit([&, &key = name](const auto& v) { evidence[key] = v; }, value);
    if (finding.where) {
        evidence["start_ns"] = toNs(finding.where->start);
        evidence["end_ns"] = toNs(finding.where->end);
    }
    evidence["gpu_rows"] = finding.rows;
    return evidence;
}

Json findingJson(const Finding& finding) {
    Json predicted = nullptr;
    if (const auto& gain = finding.predicted)
        predicted = {{"speedup", gain->speedup},
                     {"low", gain->low},
                     {"high", gain->high},
                     {"step_ns", gain->step.count()},
                     {"limit", gain->limit}};
    return {{"rule", finding.rule},
            {"severity", nameOf(finding.severity)},
            {"title", finding.title},
            {"evidence", evidenceJson(finding)},
            {"advice", fmt::format("{}", fmt::join(finding.advice, "\n"))},
            {"predicted", predicted},
            {"abstained", finding.abstained.empty() ? Json(nullptr) : Json(finding.abstained)}};
}

} // namespace

std::string jsonReport(const Trace& trace, const Analysis& analysis) {
    Json devices = Json::array();
    for (const DeviceActivity& activity : analysis.measurements.devices)
        devices.push_back(deviceJson(trace, activity));
    Json findings = Json::array();
    for (const Finding& finding : analysis.findings)
        findings.push_back(findingJson(finding));
    const Json report = {{"tacho", {{"version", TACHO_VERSION}, {"report_format", kReportFormat}}},
                         {"capture", captureJson(trace)},
                         {"verdict",
                          {{"limit", nameOf(analysis.verdict.limit)},
                           {"share", analysis.verdict.share},
                           {"text", analysis.verdict.text}}},
                         {"steps", stepsJson(analysis.measurements.steps)},
                         {"devices", devices},
                         {"collectives", collectivesJson(trace, analysis.measurements.collectives)},
                         {"start_up", startUpJson(trace, analysis.measurements.codeLoading)},
                         {"findings", findings}};
    // Names in a capture need not be UTF-8: what is not becomes the replacement character.
    return report.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace tacho
