// SPDX-License-Identifier: Apache-2.0
#include "collector/recorder/nvtx_ranges.h"

#include <fmt/format.h>

namespace tacho {

using spool::NvtxAction;

void NvtxRanges::add(const spool::NvtxEvent& event, std::string_view text) {
    Thread& thread = m_threads[event.threadId];
    emitMark(thread);
    const auto action = static_cast<NvtxAction>(event.action);
    const bool isStart = action == NvtxAction::Start;
    thread.last = {action, isStart ? event.rangeId : event.domain};
    if (action == NvtxAction::Pop)
        pop(thread, event);
    else if (action == NvtxAction::End)
        end(event);
    else if (isStart)
        start({.begin = event, .text = std::string(text), .endNs = {}, .payload = {}});
    else if (action == NvtxAction::Push)
        thread.open[event.domain].push_back(
            {.begin = event, .text = std::string(text), .endNs = {}, .payload = {}});
    else if (action == NvtxAction::Mark)
        thread.mark = NvtxRow{.begin = event, .text = std::string(text), .endNs = {}, .payload = {}};
}

void NvtxRanges::pop(Thread& thread, const spool::NvtxEvent& event) {
    std::vector<NvtxRow>& open = thread.open[event.domain];
    if (open.empty()) {
        ++m_unmatched;
        return;
    }
    open.back().endNs = event.timeNs;
    open.back().endThreadId = event.threadId;
    m_sink(open.back());
    open.pop_back();
}

void NvtxRanges::start(NvtxRow row) {
    const auto ended = m_ended.find(row.begin.rangeId);
    if (ended == m_ended.end()) {
        m_started.insert_or_assign(row.begin.rangeId, std::move(row));
        return;
    }
    row.endNs = ended->second.timeNs;
    row.endThreadId = ended->second.threadId;
    m_ended.erase(ended);
    m_sink(row);
}

void NvtxRanges::end(const spool::NvtxEvent& event) {
    const auto started = m_started.find(event.rangeId);
    if (started == m_started.end()) {
        m_ended.insert_or_assign(event.rangeId, RangeEnd{event.timeNs, event.threadId});
        return;
    }
    started->second.endNs = event.timeNs;
    started->second.endThreadId = event.threadId;
    m_sink(started->second);
    m_started.erase(started);
}

void NvtxRanges::emitMark(Thread& thread) {
    if (thread.mark)
        m_sink(*thread.mark);
    thread.mark.reset();
}

NvtxRow* NvtxRanges::lastRow(Thread& thread) {
    const auto& [action, key] = thread.last;
    if (action == NvtxAction::Mark)
        return thread.mark ? &*thread.mark : nullptr;
    if (action == NvtxAction::Push) {
        std::vector<NvtxRow>& open = thread.open[static_cast<std::uint32_t>(key)];
        return open.empty() ? nullptr : &open.back();
    }
    const auto started = action == NvtxAction::Start ? m_started.find(key) : m_started.end();
    return started == m_started.end() ? nullptr : &started->second;
}

void NvtxRanges::addPayload(const spool::NvtxPayload& payload, std::string_view bytes) {
    NvtxRow* row = lastRow(m_threads[payload.threadId]);
    if (!row) {
        ++m_unmatched;
        return;
    }
    fmt::format_to(std::back_inserter(row->payload), "{}{}:", row->payload.empty() ? "" : " ",
                   payload.schemaId);
    for (const char byte : bytes)
        fmt::format_to(std::back_inserter(row->payload), "{:02x}", static_cast<unsigned char>(byte));
}

void NvtxRanges::finish() {
    for (auto& [id, thread] : m_threads) {
        emitMark(thread);
        for (const auto& [domain, open] : thread.open)
            for (const NvtxRow& row : open)
                m_sink(row);
    }
    for (const auto& [id, row] : m_started)
        m_sink(row);
    m_unmatched += m_ended.size();
    m_threads.clear();
    m_started.clear();
    m_ended.clear();
}

} // namespace tacho
