// SPDX-License-Identifier: Apache-2.0
#include "collector/recorder/process_info.h"

#include "collector/recorder/secrets.h"

#include <cstdio>
#include <ctime>
#include <fmt/format.h>
#include <fstream>
#include <optional>
#include <sstream>
#include <unistd.h>
#include <vector>

namespace tacho {

namespace {

std::vector<std::string> zeroEndedTexts(const std::filesystem::path& path) {
    std::vector<std::string> texts;
    std::ifstream file(path, std::ios::binary);
    for (std::string text; std::getline(file, text, '\0');)
        texts.push_back(text);
    return texts;
}

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

ProcessIdentity askSystem(std::int32_t pid) {
    const std::vector<std::string> arguments = zeroEndedTexts(fmt::format("/proc/{}/cmdline", pid));
    if (arguments.empty())
        return {};
    return {storableCommandLine(arguments), std::filesystem::path(arguments.front()).filename().string()};
}

} // namespace

bool isRunning(const spool::FileHeader& process) {
    const std::optional<ProcessStatus> status = statusOf(process.pid);
    return status && status->state != 'Z' && status->state != 'X' &&
           status->startNs <= static_cast<std::int64_t>(process.startNs);
}

ProcessIdentity identityOf(const spool::FileHeader& process, const std::filesystem::path& spoolFile) {
    const std::filesystem::path kept = spoolFile.string() + ".command";
    if (const std::vector<std::string> texts = zeroEndedTexts(kept); texts.size() == 2)
        return {texts[0], texts[1]};
    if (!isRunning(process))
        return {};
    ProcessIdentity identity = askSystem(process.pid);
    std::ofstream(kept, std::ios::binary) << identity.commandLine << '\0' << identity.name << '\0';
    return identity;
}

} // namespace tacho
