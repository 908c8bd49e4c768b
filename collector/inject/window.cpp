// SPDX-License-Identifier: Apache-2.0
#include "collector/inject/window.h"

#include <cstdio>
#include <cstring>

namespace tacho {

Window Window::parse(const char* text) noexcept {
    Window window;
    unsigned long long first = 0;
    unsigned long long end = 0;
    if (text && std::strcmp(text, "all") == 0) {
        window.m_kind = Kind::All;
    } else if (text && std::sscanf(text, "steps:%llu:%llu", &first, &end) == 2 && first < end) {
        window.m_kind = Kind::Steps;
        window.m_first = first;
        window.m_end = end;
    }
    return window;
}

bool Window::opensAtStart(bool stepsExpected) const noexcept {
    switch (m_kind) {
    case Kind::All:
        return true;
    case Kind::Steps:
        return m_first == 0;
    case Kind::Default:
        return !stepsExpected;
    }
    return true;
}

bool Window::isOpenAfter(std::uint64_t endedSteps) const noexcept {
    return m_kind == Kind::All || (endedSteps >= m_first && endedSteps < m_end);
}

bool Window::isWaitOver(std::uint64_t endedSteps, std::uint64_t waitedNs) const noexcept {
    return m_kind == Kind::Default && endedSteps == 0 && waitedNs >= kLongestWaitNs;
}

} // namespace tacho
