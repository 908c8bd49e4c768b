// SPDX-License-Identifier: Apache-2.0
#include "collector/inject/capture.h"

#include "collector/inject/cupti_source.h"
#include "collector/inject/host_clock.h"
#include "collector/inject/session.h"

#include <cstdio>
#include <cstdlib>

namespace tacho {

void Capture::reset(EventLog& log) noexcept {
    const char* const text = std::getenv(spool::kWindowVariable);
    std::snprintf(m_windowText, sizeof m_windowText, "%s", text ? text : "");
    m_window = Window::parse(m_windowText);
    m_blocks = BlockPlan(m_window.everySteps());
    m_control.reset(std::getenv(spool::kDirectoryVariable));
    m_log = &log;
    m_startNs = hostNowNs();
    m_cudaSinceNs = 0;
    m_closedNs = m_stepsWhenClosed = 0;
    m_endedSteps = 0;
    m_openRanges = 0;
    m_command = ControlFile::Command::None;
    m_isClosed = m_isPlanned = m_isOpen = m_wasEverOpen = false;
    m_areBlocksOver = false;
    m_isPlanning.clear();
    m_isSwitching.clear();
}

void Capture::cudaCame() noexcept {
    m_cudaSinceNs = hostNowNs();
    const bool isFirstStepWanted =
        m_window.trigger() == Window::Trigger::Steps && m_window.isOpenAfter(endedSteps());
    m_command = m_control.read();
    plan(m_window.opensAtStart(m_stepsExpected) || isFirstStepWanted);
}

void Capture::stepEnded(std::uint64_t endedSteps) noexcept {
    m_endedSteps.store(endedSteps, std::memory_order_relaxed);
    // Once a whole step was made, the GPU has done most of what it was given before.
    if (endedSteps > m_stepsWhenClosed)
        leave();
    if (m_window.trigger() == Window::Trigger::Steps)
        plan(m_window.isOpenAfter(endedSteps));
    else if (m_window.trigger() == Window::Trigger::Blocks)
        planBlocks(endedSteps);
}

// Of steps that end at once on several threads, one counts.
void Capture::planBlocks(std::uint64_t endedSteps) noexcept {
    if (m_isPlanning.test_and_set(std::memory_order_acquire))
        return;
    const bool open = m_blocks.stepEnded(endedSteps, isAtFullSpeed(), cuptiSource().canLeave());
    m_areBlocksOver.store(m_blocks.isOver(), std::memory_order_relaxed);
    m_isPlanning.clear(std::memory_order_release);
    plan(open);
}

void Capture::profilerApiCalled(bool start) noexcept {
    if (m_window.trigger() == Window::Trigger::ProfilerApi)
        plan(start);
}

void Capture::rangeBegan() noexcept {
    m_openRanges.fetch_add(1);
    update();
}

void Capture::rangeEnded() noexcept {
    m_openRanges.fetch_sub(1);
    update();
}

void Capture::poll() noexcept {
    const std::uint64_t now = hostNowNs();
    const std::uint64_t cudaSinceNs = m_cudaSinceNs;
    if (cudaSinceNs == 0)
        return;
    m_command = m_control.read();
    if (m_window.trigger() == Window::Trigger::Clock)
        plan(m_window.isOpenAt(now - m_startNs));
    else if (m_window.isWaitOver(endedSteps(), now - cudaSinceNs))
        plan(true);
    else
        update();
    const bool followsSteps =
        m_window.trigger() == Window::Trigger::Steps || m_window.trigger() == Window::Trigger::Blocks;
    if (!followsSteps && now - m_closedNs >= kLeaveAfterNs)
        leave();
}

void Capture::close() noexcept {
    m_isClosed = true;
    update();
}

void Capture::plan(bool open) noexcept {
    m_isPlanned = open;
    update();
}

bool Capture::isOver() const noexcept {
    return m_isClosed || (m_window.trigger() == Window::Trigger::Blocks
                              ? m_areBlocksOver.load()
                              : m_window.isOver(endedSteps(), hostNowNs() - m_startNs));
}

bool Capture::isAtFullSpeed() const noexcept {
    return m_wasEverOpen ? cuptiSource().leftNs() != 0 : m_cudaSinceNs != 0;
}

bool Capture::isWanted() const noexcept {
    if (m_isClosed || m_cudaSinceNs == 0 || !cuptiSource().isUsable())
        return false;
    const ControlFile::Command command = m_command;
    if (command != ControlFile::Command::None)
        return command == ControlFile::Command::Start;
    return m_window.trigger() == Window::Trigger::NvtxRange ? m_openRanges > 0 : m_isPlanned.load();
}

// Whoever is switching looks again when done, so that nobody has to wait for it.
void Capture::update() noexcept {
    while (isWanted() != m_isOpen) {
        if (m_isSwitching.test_and_set(std::memory_order_acquire))
            return;
        if (const bool open = isWanted(); open != m_isOpen)
            open ? switchOn() : switchOff();
        m_isSwitching.clear(std::memory_order_release);
    }
}

// All that starts within the window is recorded: so it begins after switching on and ends before switching
// off.
void Capture::switchOn() noexcept {
    const std::uint64_t fullSpeedSinceNs = m_wasEverOpen ? cuptiSource().leftNs() : m_cudaSinceNs.load();
    const std::uint64_t fullSpeedUntilNs = hostNowNs();
    if (!cuptiSource().open()) {
        m_isClosed = true;
        session().note(
            spool::Severity::Error, "cupti_taken", 1,
            "another profiler took CUPTI while nothing was recorded; GPU activity of later windows is "
            "not in the file");
        return;
    }
    noteFullSpeed(fullSpeedSinceNs, fullSpeedUntilNs);
    noteChange(true, hostNowNs());
    m_isOpen = true;
    m_wasEverOpen = true;
    session().stopAtExit(); // CUPTI may have registered exit handlers as it came
}

void Capture::switchOff() noexcept {
    m_closedNs = hostNowNs();
    m_stepsWhenClosed = endedSteps();
    cuptiSource().close();
    noteChange(false, m_closedNs);
    m_isOpen = false;
}

void Capture::leave() noexcept {
    if (m_isOpen || !m_wasEverOpen || m_isSwitching.test_and_set(std::memory_order_acquire))
        return;
    if (!m_isOpen) {
        cuptiSource().leave();
        session().wakeWriter(); // to write what that brought
    }
    m_isSwitching.clear(std::memory_order_release);
}

void Capture::finish() noexcept {
    if (!m_isOpen && m_wasEverOpen)
        noteFullSpeed(cuptiSource().leftNs(), hostNowNs());
}

void Capture::noteChange(bool isOpen, std::uint64_t timeNs) noexcept {
    spool::Window record{};
    record.header.type = static_cast<std::uint16_t>(spool::RecordType::Window);
    record.isOpen = isOpen ? 1 : 0;
    record.isLast = !isOpen && isOver() ? 1 : 0;
    record.timeNs = timeNs;
    m_log->define(&record, sizeof record, nullptr, 0);
}

void Capture::noteFullSpeed(std::uint64_t startNs, std::uint64_t endNs) noexcept {
    if (startNs == 0)
        return;
    spool::FullSpeed record{};
    record.header.type = static_cast<std::uint16_t>(spool::RecordType::FullSpeed);
    record.startNs = startNs;
    record.endNs = endNs;
    m_log->define(&record, sizeof record, nullptr, 0);
}

} // namespace tacho
