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
    m_control.reset(std::getenv(spool::kDirectoryVariable));
    m_log = &log;
    m_startNs = hostNowNs();
    m_cudaSinceNs = 0;
    m_endedSteps = 0;
    m_openRanges = 0;
    m_command = ControlFile::Command::None;
    m_isClosed = m_isPlanned = m_isOpen = m_wasEverOpen = false;
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
    if (m_window.trigger() == Window::Trigger::Steps)
        plan(m_window.isOpenAfter(endedSteps));
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
    return m_isClosed || m_window.isOver(endedSteps(), hostNowNs() - m_startNs);
}

bool Capture::isWanted() const noexcept {
    if (m_isClosed || m_cudaSinceNs == 0 || !cuptiSource().isAttached())
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
            apply(open);
        m_isSwitching.clear(std::memory_order_release);
    }
}

// All that starts within the window is recorded: so it begins after switching on and ends before switching
// off.
void Capture::apply(bool open) noexcept {
    if (open)
        cuptiSource().open();
    spool::Window record{};
    record.header.type = static_cast<std::uint16_t>(spool::RecordType::Window);
    record.isOpen = open ? 1 : 0;
    record.isLast = !open && isOver() ? 1 : 0;
    record.timeNs = hostNowNs();
    if (!open)
        cuptiSource().close();
    m_log->define(&record, sizeof record, nullptr, 0);
    m_isOpen = open;
    if (open && !m_wasEverOpen.exchange(true))
        session().stopAtExit(); // CUPTI may have registered exit handlers as the first kind was switched on
}

} // namespace tacho
