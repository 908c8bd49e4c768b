// SPDX-License-Identifier: Apache-2.0
#include "collector/recorder/process_info.h"

#include <cstdlib>
#include <ctime>
#include <fmt/format.h>
#include <fstream>
#include <optional>
#include <sstream>
#include <unistd.h>

namespace tacho {

namespace {

std::int64_t nowNs(clockid_t clock) {
    timespec now{};
    clock_gettime(clock, &now);
    return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

struct ProcessStatus {
    char state;
    std::int64_t startNs; ///< CLOCK_MONOTONIC, rounded down to a clock tick
};

std::optional<ProcessStatus> statusOf(std::int32_t pid) {
    std::ifstream file(fmt::format("/proc/{}/stat", pid));
    std::string line;
    std::getline(file, line);
    const std::size_t nameEnd = line.rfind(')'); // the name before it may hold anything
    if (nameEnd == std::string::npos)
        return std::nullopt;
    std::istringstream rest(line.substr(nameEnd + 1));
    char state = 0;
    std::string field;
    rest >> state;
    constexpr int kFieldsToStartTime = 19; // proc(5): state is field 3, starttime field 22
    for (int skipped = 0; skipped < kFieldsToStartTime; ++skipped)
        rest >> field;
    const std::int64_t ticks = std::strtoll(field.c_str(), nullptr, 10);
    const std::int64_t sinceBoot = ticks * (1'000'000'000 / sysconf(_SC_CLK_TCK));
    return ProcessStatus{state, sinceBoot - (nowNs(CLOCK_BOOTTIME) - nowNs(CLOCK_MONOTONIC))};
}

} // namespace

bool isRunning(const spool::FileHeader& process) {
    const std::optional<ProcessStatus> status = statusOf(process.pid);
    return status && status->state != 'Z' && status->state != 'X' &&
           status->startNs <= static_cast<std::int64_t>(process.startNs);
}

} // namespace tacho
