// SPDX-License-Identifier: Apache-2.0
#include "collector/inject/window.h"

#include <cstdio>
#include <cstring>

namespace tacho {

namespace {

/// What follows `prefix` in `text`; null: it does not begin so.
const char* after(const char* prefix, const char* text) noexcept {
    const std::size_t length = std::strlen(prefix);
    return std::strncmp(text, prefix, length) == 0 ? text + length : nullptr;
}

} // namespace

Window Window::parse(const char* text) noexcept {
    Window window;
    if (!text)
        return window;
    if (std::strcmp(text, "all") == 0) {
        window.m_trigger = Trigger::Start;
        return window;
    }
    unsigned long long every = 0;
    if (!window.parseSteps(text) && !window.parseTime(text) && !window.parseRange(text) &&
        std::sscanf(text, "default:every:%llu", &every) == 1)
        window.m_everySteps = every;
    return window;
}

bool Window::parseSteps(const char* text) noexcept {
    unsigned long long first = 0;
    unsigned long long end = 0;
    unsigned long long every = 0;
    if (std::sscanf(text, "steps:%llu:%llu:every:%llu", &first, &end, &every) < 2 || first >= end)
        return false;
    m_trigger = Trigger::Steps;
    m_firstStep = first;
    m_endStep = end;
    m_everySteps = every;
    return true;
}

bool Window::parseTime(const char* text) noexcept {
    unsigned long long delay = 0;
    unsigned long long duration = 0;
    if (std::sscanf(text, "time:%llu:%llu", &delay, &duration) != 2)
        return false;
    m_trigger = Trigger::Clock;
    m_delayNs = delay;
    m_durationNs = duration;
    return true;
}

bool Window::parseRange(const char* text) noexcept {
    const char* const range = after("range:", text);
    if (!range)
        return false;
    m_rangeName = after("nvtx:", range);
    if (m_rangeName)
        m_trigger = Trigger::NvtxRange;
    else if (std::strcmp(range, "cudaProfilerApi") == 0)
        m_trigger = Trigger::ProfilerApi;
    else if (std::strcmp(range, "ctl") == 0)
        m_trigger = Trigger::Outside;
    else
        return false;
    return true;
}

bool Window::opensAtStart(bool stepsExpected) const noexcept {
    switch (m_trigger) {
    case Trigger::Start:
        return true;
    case Trigger::Blocks:
        return !stepsExpected;
    case Trigger::Steps:
        return m_firstStep == 0;
    case Trigger::Clock:
        return m_delayNs == 0;
    case Trigger::ProfilerApi:
    case Trigger::NvtxRange:
    case Trigger::Outside:
        return false;
    }
    return true;
}

bool Window::isOpenAfter(std::uint64_t endedSteps) const noexcept {
    if (endedSteps < m_firstStep)
        return false;
    std::uint64_t step = endedSteps - m_firstStep;
    if (m_everySteps != 0)
        step %= m_everySteps;
    return step < m_endStep - m_firstStep;
}

bool Window::isWaitOver(std::uint64_t endedSteps, std::uint64_t waitedNs) const noexcept {
    return m_trigger == Trigger::Blocks && endedSteps == 0 && waitedNs >= kLongestWaitNs;
}

bool Window::isOpenAt(std::uint64_t sinceStartNs) const noexcept {
    return sinceStartNs >= m_delayNs && (m_durationNs == 0 || sinceStartNs - m_delayNs < m_durationNs);
}

bool Window::isOver(std::uint64_t endedSteps, std::uint64_t sinceStartNs) const noexcept {
    if (m_trigger == Trigger::Steps)
        return m_everySteps == 0 && endedSteps >= m_endStep;
    return m_trigger == Trigger::Clock && sinceStartNs >= m_delayNs && !isOpenAt(sinceStartNs);
}

} // namespace tacho
