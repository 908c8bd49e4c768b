// SPDX-License-Identifier: Apache-2.0
#include "collector/recorder/progress_line.h"

#include "collector/inject/block_plan.h"

#include <cstdio>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <utility>

namespace tacho {

namespace {

/// "950", "12.5 k", "1.2 M"
std::string scaled(std::uint64_t value) {
    constexpr std::uint64_t kThousand = 1000, kMillion = kThousand * kThousand;
    if (value < 10 * kThousand)
        return std::to_string(value);
    const bool isMillions = value >= kMillion;
    const double unit = isMillions ? kMillion : kThousand;
    return fmt::format("{:.1f} {}", static_cast<double>(value) / unit, isMillions ? 'M' : 'k');
}

/// What opens the window: a value of TACHO_WINDOW in words.
std::string awaited(const std::string& window) {
    constexpr std::string_view kSteps = "steps:", kRange = "range:nvtx:";
    if (window.starts_with(kSteps))
        return fmt::format("step {}", std::strtoul(window.c_str() + kSteps.size(), nullptr, 10));
    if (window.starts_with(kRange))
        return window.substr(kRange.size());
    if (window == "range:ctl")
        return "tacho ctl start";
    if (window == "range:cudaProfilerApi")
        return "cudaProfilerStart";
    if (window.starts_with("default"))
        return fmt::format("step {}", BlockPlan::kSkippedSteps + BlockPlan::kBlockSteps);
    return "the GPU";
}

std::string windowText(const FollowedSteps& followed, const std::string& window) {
    const std::string step = followed.steps > 0 ? fmt::format(" (step {})", followed.steps) : "";
    if (followed.isRecording)
        return "recording" + step;
    if (followed.hasRecorded)
        return "recorded, the training goes on" + step;
    return fmt::format("waiting for {}{}", awaited(window), step);
}

unsigned terminalColumns() {
    constexpr unsigned kUsual = 80;
    winsize size{};
    const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return known ? size.ws_col : kUsual;
}

void writeToStderr(const std::string& text) {
    std::fwrite(text.data(), 1, text.size(), stderr);
    std::fflush(stderr);
}

constexpr const char* kEraseLine = "\r\x1b[K";

} // namespace

std::string progressText(const Progress& progress, const std::string& window) {
    return fmt::format("tacho: {} s, {} events, {} MB, {}", progress.elapsed.count(), scaled(progress.events),
                       progress.fileBytes / 1'000'000, windowText(progress.steps, window));
}

ProgressLine::ProgressLine(std::string window, bool isQuiet)
    : m_window(std::move(window)), m_isShown(!isQuiet && isatty(STDERR_FILENO) == 1) {}

ProgressLine::~ProgressLine() {
    clear();
}

// The cursor goes back to the first column: what the training prints next then begins there.
void ProgressLine::show(const Progress& progress) {
    if (!m_isShown)
        return;
    writeToStderr(kEraseLine + progressText(progress, m_window).substr(0, terminalColumns() - 1) + "\r");
    m_isDirty = true;
}

void ProgressLine::clear() {
    if (m_isDirty)
        writeToStderr(kEraseLine);
    m_isDirty = false;
}

} // namespace tacho
