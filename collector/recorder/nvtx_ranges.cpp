// SPDX-License-Identifier: Apache-2.0
#include "collector/recorder/nvtx_ranges.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <limits>

namespace tacho {

using spool::NvtxAction;

void NvtxRanges::add(const spool::NvtxEvent& event, std::string_view text) {
    NvtxRow call{.begin = event, .text = std::string(text), .endNs = {}, .payload = {}};
    m_last[event.threadId] = m_waiting.emplace(event.timeNs, std::move(call));
    m_newestNs = std::max(m_newestNs, event.timeNs);
    const std::uint64_t disorder = kLongestDisorder.count();
    if (m_newestNs > disorder)
        pairUpTo(m_newestNs - disorder);
}

void NvtxRanges::addPayload(const spool::NvtxPayload& payload, std::string_view bytes) {
    const auto last = m_last.find(payload.threadId);
    if (last == m_last.end()) {
        ++m_unmatched;
        return;
    }
    std::string& text = last->second->second.payload;
    fmt::format_to(std::back_inserter(text), "{}{}:", text.empty() ? "" : " ", payload.schemaId);
    for (const char byte : bytes)
        fmt::format_to(std::back_inserter(text), "{:02x}", static_cast<unsigned char>(byte));
}

void NvtxRanges::pairUpTo(std::uint64_t timeNs) {
    while (!m_waiting.empty() && m_waiting.begin()->first <= timeNs) {
        const auto oldest = m_waiting.begin();
        const auto last = m_last.find(oldest->second.begin.threadId);
        if (last != m_last.end() && last->second == oldest)
            m_last.erase(last);
        pair(std::move(oldest->second));
        m_waiting.erase(oldest);
    }
}

void NvtxRanges::pair(NvtxRow call) {
    const spool::NvtxEvent& event = call.begin;
    switch (static_cast<NvtxAction>(event.action)) {
    case NvtxAction::Push:
        m_pushed[{event.threadId, event.domain}].push_back(std::move(call));
        break;
    case NvtxAction::Start:
        m_started.insert_or_assign(event.rangeId, std::move(call));
        break;
    case NvtxAction::Mark:
        m_sink(call);
        break;
    case NvtxAction::Pop:
        pop(event);
        break;
    case NvtxAction::End:
        endStarted(event);
        break;
    }
}

void NvtxRanges::end(NvtxRow& row, const spool::NvtxEvent& by) {
    row.endNs = by.timeNs;
    row.endThreadId = by.threadId;
    m_sink(row);
}

void NvtxRanges::pop(const spool::NvtxEvent& event) {
    std::vector<NvtxRow>& open = m_pushed[{event.threadId, event.domain}];
    if (open.empty()) {
        ++m_unmatched;
        return;
    }
    end(open.back(), event);
    open.pop_back();
}

void NvtxRanges::endStarted(const spool::NvtxEvent& event) {
    const auto started = m_started.find(event.rangeId);
    if (started == m_started.end()) {
        ++m_unmatched;
        return;
    }
    end(started->second, event);
    m_started.erase(started);
}

void NvtxRanges::finish() {
    pairUpTo(std::numeric_limits<std::uint64_t>::max());
    for (const auto& [key, open] : m_pushed)
        for (const NvtxRow& row : open)
            m_sink(row);
    for (const auto& [id, row] : m_started)
        m_sink(row);
    m_pushed.clear();
    m_started.clear();
}

} // namespace tacho
