// SPDX-License-Identifier: Apache-2.0
#include "collector/inject/range_trigger.h"

#include "collector/inject/session.h"

#include <atomic>
#include <cstddef>
#include <cstring>

namespace tacho {

namespace {

/// The wanted range that this thread pushed, and how many it pushed in that domain since, with it.
struct PushedRange {
    std::uint32_t domain;
    std::uint32_t depth; ///< 0: none is open
};
thread_local PushedRange t_pushed __attribute__((tls_model("initial-exec"))) = {};

constexpr int kMostStarted = 16; ///< wanted ranges of start and end that are open at once; more are not seen
constinit std::atomic<std::uint64_t> g_started[kMostStarted] = {};

} // namespace

void RangeTrigger::reset(const char* name, std::uint32_t registered) noexcept {
    m_name = name;
    m_registered = registered;
    t_pushed = {};
    for (auto& started : g_started)
        started = 0;
}

bool RangeTrigger::isWanted(const char* text) const noexcept {
    return text && std::strcmp(text, m_name) == 0;
}

bool RangeTrigger::isWanted(const nvtxEventAttributes_t* range) const noexcept {
    if (!range || range->size < offsetof(nvtxEventAttributes_t, message) + sizeof range->message)
        return false;
    if (range->messageType == NVTX_MESSAGE_TYPE_ASCII)
        return isWanted(range->message.ascii);
    return range->messageType == NVTX_MESSAGE_TYPE_REGISTERED &&
           reinterpret_cast<std::uintptr_t>(range->message.registered) == m_registered;
}

void RangeTrigger::pushed(std::uint32_t domain, bool isWanted) noexcept {
    if (t_pushed.depth > 0) {
        t_pushed.depth += t_pushed.domain == domain ? 1 : 0;
    } else if (isWanted) {
        t_pushed = {domain, 1};
        session().capture().rangeBegan();
    }
}

void RangeTrigger::popped(std::uint32_t domain) noexcept {
    if (t_pushed.depth > 0 && t_pushed.domain == domain && --t_pushed.depth == 0)
        session().capture().rangeEnded();
}

void RangeTrigger::started(std::uint64_t id) noexcept {
    for (auto& slot : g_started) {
        std::uint64_t free = 0;
        if (slot.compare_exchange_strong(free, id))
            return session().capture().rangeBegan();
    }
}

void RangeTrigger::ended(std::uint64_t id) noexcept {
    for (auto& slot : g_started) {
        std::uint64_t expected = id;
        if (slot.compare_exchange_strong(expected, 0))
            return session().capture().rangeEnded();
    }
}

} // namespace tacho
