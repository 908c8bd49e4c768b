// SPDX-License-Identifier: Apache-2.0
#include "collector/doctor/checks.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <set>

namespace tacho {

namespace {

/// Names of the programs that run, as the kernel keeps them: at most 15 characters.
std::set<std::string> runningPrograms(const Machine& machine) {
    std::set<std::string> names;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(machine.root / "proc", ignored)) {
        const std::string folder = entry.path().filename().string();
        if (!std::ranges::all_of(folder, [](unsigned char c) { return std::isdigit(c) != 0; }))
            continue;
        std::string name = machine.text("proc/" + folder + "/comm");
        name.erase(std::ranges::find(name, '\n'), name.end());
        names.insert(name);
    }
    return names;
}

} // namespace

Diagnoses checkOtherTools(const Machine& machine) {
    const std::set<std::string> running = runningPrograms(machine);
    Diagnoses lines;
    for (const char* dcgm : {"nv-hostengine", "dcgm-exporter"})
        if (running.contains(dcgm) && lines.empty())
            lines.push_back({"dcgm", Condition::Limited, fmt::format("DCGM watches the GPUs ({} runs)", dcgm),
                             "GPU counters, while DCGM reads profiling metrics; all else is recorded",
                             "to record counters, pause it: dcgmi profile --pause"});
    for (const char* profiler : {"nsys", "ncu"})
        if (running.contains(profiler))
            lines.push_back({"running_profiler", Condition::Limited,
                             fmt::format("{} runs on this machine", profiler),
                             "true times: it may slow down the same GPU", "wait until it has ended"});
    if (lines.empty())
        lines.push_back({"other_tools", Condition::Ok, "no other profiler is seen", "", ""});
    return lines;
}

} // namespace tacho
