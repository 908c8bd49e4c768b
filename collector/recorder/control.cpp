// SPDX-License-Identifier: Apache-2.0
#include "collector/recorder/control.h"

#include "analyzer/model/error.h"
#include "collector/inject/spool_format.h"

#include <fmt/format.h>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace tacho {

namespace {

namespace fs = std::filesystem;

/// Absent: the process cannot be looked at.
std::optional<fs::path> spoolDirectoryInEnvironment(int pid, const fs::path& proc) {
    std::ifstream environment(proc / std::to_string(pid) / "environ", std::ios::binary);
    const std::string prefix = std::string(spool::kDirectoryVariable) + "=";
    for (std::string entry; std::getline(environment, entry, '\0');)
        if (entry.starts_with(prefix))
            return entry.substr(prefix.size());
    return std::nullopt;
}

std::vector<int> childrenOf(int pid, const fs::path& proc) {
    const std::string id = std::to_string(pid);
    std::ifstream list(proc / id / "task" / id / "children");
    std::vector<int> children;
    for (int child = 0; list >> child;)
        children.push_back(child);
    return children;
}

} // namespace

fs::path recordingOf(int pid, const fs::path& proc) {
    if (!fs::exists(proc / std::to_string(pid)))
        throw Error(fmt::format("there is no process {}", pid), ExitStatus::Usage);
    std::vector<int> candidates = childrenOf(pid, proc); // of tacho itself: the command has the variable
    candidates.insert(candidates.begin(), pid);
    for (const int candidate : candidates)
        if (const auto directory = spoolDirectoryInEnvironment(candidate, proc))
            return *directory;
    throw Error(fmt::format("process {} is not being recorded by tacho, or belongs to another user", pid),
                ExitStatus::Usage);
}

void control(const fs::path& spoolDirectory, Control command) {
    const fs::path file = spoolDirectory / spool::kControlFile;
    const fs::path fresh = file.string() + ".new"; // so that a reader sees the old text or the new one
    std::ofstream text(fresh, std::ios::trunc);
    text << (command == Control::Start ? spool::kControlStart : spool::kControlStop) << '\n';
    text.close();
    std::error_code error;
    if (text)
        fs::rename(fresh, file, error);
    if (!text || error)
        throw Error(fmt::format("{}: cannot be written: the recording has ended, or belongs to another user",
                                file.string()));
}

} // namespace tacho
