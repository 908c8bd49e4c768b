// SPDX-License-Identifier: Apache-2.0
#include "analyzer/cli/window_options.h"

#include "analyzer/model/error.h"
#include "collector/inject/block_plan.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

namespace tacho {
namespace {

std::optional<std::pair<std::uint64_t, std::uint64_t>> parseSteps(const std::string& text) {
    std::uint64_t first = 0, end = 0;
    const char* const stop = text.data() + text.size();
    const auto left = std::from_chars(text.data(), stop, first);
    if (left.ec != std::errc{} || left.ptr == stop || *left.ptr != ':')
        return std::nullopt;
    const auto right = std::from_chars(left.ptr + 1, stop, end);
    if (right.ec != std::errc{} || right.ptr != stop || first >= end)
        return std::nullopt;
    return std::pair{first, end};
}

/// Empty: right. Else what is wrong, for CLI11.
std::string checkSteps(const std::string& text) {
    return parseSteps(text) ? "" : text + " is not of the form A:B with A < B";
}

std::string checkRange(const std::string& text) {
    const bool isRange =
        text == "cudaProfilerApi" || text == "ctl" || (text.starts_with("nvtx:") && text.size() > 5);
    return isRange ? "" : text + " is none of cudaProfilerApi, nvtx:NAME, ctl";
}

std::uint64_t nanoseconds(double seconds) {
    return seconds <= 0 ? 0 : static_cast<std::uint64_t>(std::llround(seconds * 1e9));
}

} // namespace

void WindowOptions::addTo(CLI::App& commandLine) {
    auto* all = commandLine.add_flag("--all", m_everything, "record from start to end");
    auto* steps = commandLine.add_option("--steps", m_steps, "record steps A to B-1, counted from 0")
                      ->type_name("A:B")
                      ->check(checkSteps)
                      ->excludes(all);
    auto* every = commandLine.add_option("--every", m_everySteps, "and the same again every N steps")
                      ->type_name("N")
                      ->check(CLI::PositiveNumber.description(""))
                      ->excludes(all);
    auto* delay = commandLine.add_option("--delay", m_delay, "record from S seconds after a process began")
                      ->type_name("S")
                      ->check(CLI::NonNegativeNumber.description(""))
                      ->excludes(all, steps, every);
    auto* duration = commandLine.add_option("--duration", m_duration, "and for S seconds")
                         ->type_name("S")
                         ->check(CLI::PositiveNumber.description(""))
                         ->excludes(all, steps, every);
    commandLine
        .add_option("--capture-range", m_range,
                    "record from cudaProfilerStart to -Stop (cudaProfilerApi), in\n"
                    "NVTX ranges (nvtx:NAME), or on command (ctl: see tacho ctl)")
        ->type_name("R")
        ->check(checkRange)
        ->excludes(all, steps, every, delay, duration);
}

std::string WindowOptions::text() const {
    if (m_everything)
        return "all";
    if (!m_range.empty())
        return "range:" + m_range;
    if (m_delay >= 0 || m_duration >= 0)
        return fmt::format("time:{}:{}", nanoseconds(m_delay), nanoseconds(m_duration));
    const auto steps = parseSteps(m_steps);
    const std::uint64_t length = steps ? steps->second - steps->first : BlockPlan::kMostSteps;
    if (m_everySteps != 0 && m_everySteps < length)
        throw Error(fmt::format("--every {}: the window alone may have {} steps", m_everySteps, length),
                    ExitStatus::Usage);
    const std::string once = steps ? "steps:" + m_steps : "default";
    return m_everySteps == 0 ? once : fmt::format("{}:every:{}", once, m_everySteps);
}

} // namespace tacho
