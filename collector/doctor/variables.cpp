// SPDX-License-Identifier: Apache-2.0
#include "collector/doctor/checks.h"

#include "collector/inject/known_profilers.h"

#include <fmt/format.h>
#include <string_view>

namespace tacho {

namespace {

/// Name of the profiler of a library in `text`; empty: none that we know.
std::string profilerIn(std::string_view text) {
    for (const KnownProfiler& profiler : kKnownProfilers)
        if (text.find(profiler.library) != std::string_view::npos)
            return profiler.name;
    return {};
}

void addInjection(const Machine& machine, const char* name, Diagnoses& lines) {
    const std::string file = machine.variable(name);
    if (file.empty())
        return;
    const std::string profiler = profilerIn(file);
    lines.push_back(
        {"injection", Condition::Limited,
         fmt::format("{} is set to {}{}", name, file, profiler.empty() ? "" : " (" + profiler + ")"),
         "what that tool would record: tacho takes its place",
         fmt::format("use one of them at a time; unset {}", name)});
}

void addRunningUnderOther(const Machine& machine, Diagnoses& lines) {
    const std::string preloaded = profilerIn(machine.variable("LD_PRELOAD"));
    const auto session = machine.environment.lower_bound("NSYS_PROFILING_SESSION_ID");
    const bool isNsys = session != machine.environment.end() && session->first == "NSYS_PROFILING_SESSION_ID";
    if (preloaded.empty() && !isNsys)
        return;
    lines.push_back({"other_profiler", Condition::Broken,
                     preloaded.empty() ? "this shell runs under Nsight Systems"
                                       : fmt::format("LD_PRELOAD loads {}", preloaded),
                     "GPU activity: CUPTI serves one profiler at a time", "record without that profiler"});
}

} // namespace

Diagnoses checkVariables(const Machine& machine) {
    Diagnoses lines;
    addInjection(machine, "CUDA_INJECTION64_PATH", lines);
    addInjection(machine, "NVTX_INJECTION64_PATH", lines);
    addRunningUnderOther(machine, lines);
    if (const std::string value = machine.variable("CUDA_LAUNCH_BLOCKING"); !value.empty() && value != "0")
        lines.push_back({"blocking_launches", Condition::Limited, "CUDA_LAUNCH_BLOCKING is set",
                         "the true step time: each launch waits for its kernel",
                         "unset CUDA_LAUNCH_BLOCKING"});
    if (!machine.variable("KINETO_USE_DAEMON").empty())
        lines.push_back({"kineto_daemon", Condition::Limited, "KINETO_USE_DAEMON is set",
                         "GPU activity from when somebody starts torch.profiler from outside",
                         "unset KINETO_USE_DAEMON"});
    if (lines.empty())
        lines.push_back({"variables", Condition::Ok, "none is set that changes what is recorded", "", ""});
    return lines;
}

} // namespace tacho
