// SPDX-License-Identifier: Apache-2.0
#include "collector/recorder/capture_session.h"

#include "analyzer/model/error.h"

#include <array>
#include <cstdlib>
#include <ctime>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <unistd.h>

namespace tacho {

namespace {

std::int64_t nowNs(clockid_t clock) {
    timespec now{};
    clock_gettime(clock, &now);
    return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

} // namespace

std::int64_t utcNowNs() {
    return nowNs(CLOCK_REALTIME);
}

CaptureSession CaptureSession::startingNow() {
    std::array<char, 256> host{};
    gethostname(host.data(), host.size() - 1);
    CaptureSession session;
    session.hostname = host.data();
    session.startUtcNs = utcNowNs();
    session.startNs = nowNs(CLOCK_MONOTONIC);
    return session;
}

std::filesystem::path CaptureSession::fileIn(const std::filesystem::path& spoolDirectory) {
    return spoolDirectory / "session";
}

// name=value texts that end with a zero byte, as in /proc/PID/environ: a command line may hold anything else.
void CaptureSession::save(const std::filesystem::path& spoolDirectory) const {
    const std::filesystem::path path = fileIn(spoolDirectory);
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    const auto put = [&](std::string_view name, std::string_view value) {
        file << name << '=' << value << '\0';
    };
    put("command", commandLine);
    put("window", window);
    put("hostname", hostname);
    put("start_utc_ns", std::to_string(startUtcNs));
    put("start_ns", std::to_string(startNs));
    if (endUtcNs)
        put("end_utc_ns", std::to_string(*endUtcNs));
    if (exitStatus)
        put("exit_status", std::to_string(*exitStatus));
    file.close();
    if (!file)
        throw Error(fmt::format("{}: cannot write; is the disk full?", path.string()));
}

CaptureSession CaptureSession::load(const std::filesystem::path& spoolDirectory) {
    std::ifstream file(fileIn(spoolDirectory), std::ios::binary);
    if (!file)
        throw Error(fmt::format("{}: not a spool directory of tacho (it has no readable file named session)",
                                spoolDirectory.string()));
    std::map<std::string, std::string> values;
    for (std::string text; std::getline(file, text, '\0');)
        if (const std::size_t equals = text.find('='); equals != std::string::npos)
            values[text.substr(0, equals)] = text.substr(equals + 1);
    const auto number = [&](const std::string& name) {
        return std::strtoll(values[name].c_str(), nullptr, 10);
    };
    CaptureSession session;
    session.commandLine = values["command"];
    session.window = values["window"];
    session.hostname = values["hostname"];
    session.startUtcNs = number("start_utc_ns");
    session.startNs = number("start_ns");
    if (values.contains("end_utc_ns"))
        session.endUtcNs = number("end_utc_ns");
    if (values.contains("exit_status"))
        session.exitStatus = static_cast<int>(number("exit_status"));
    return session;
}

} // namespace tacho
