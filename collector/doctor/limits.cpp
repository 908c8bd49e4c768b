// SPDX-License-Identifier: Apache-2.0
#include "collector/doctor/checks.h"

#include "collector/inject/spool_format.h"

#include <fmt/format.h>
#include <sys/resource.h>

namespace tacho {

namespace {

std::uint64_t softLimit(decltype(RLIMIT_NOFILE) resource) {
    rlimit limit{};
    return getrlimit(resource, &limit) == 0 ? limit.rlim_cur : RLIM_INFINITY;
}

} // namespace

ProcessLimits ProcessLimits::ofThisProcess() {
    return {softLimit(RLIMIT_NOFILE), softLimit(RLIMIT_FSIZE)};
}

Diagnoses checkLimits(const ProcessLimits& limits) {
    constexpr std::uint64_t kEnoughFiles = 256; // one for each recorded process, in the recorder
    Diagnoses lines;
    if (limits.fileBytes < spool::kMostBytes)
        lines.push_back({"file_size", Condition::Limited,
                         fmt::format("files may have {} bytes at most (ulimit -f)", limits.fileBytes),
                         "what a process records beyond that", "ulimit -f unlimited"});
    if (limits.openFiles < kEnoughFiles)
        lines.push_back({"open_files", Condition::Limited,
                         fmt::format("{} files may be open (ulimit -n)", limits.openFiles),
                         "processes beyond that number",
                         fmt::format("ulimit -n {} or more", 4 * kEnoughFiles)});
    if (lines.empty())
        lines.push_back({"limits", Condition::Ok, "size and number of files suffice", "", ""});
    return lines;
}

} // namespace tacho
