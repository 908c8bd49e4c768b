// SPDX-License-Identifier: Apache-2.0
// Turns the NVTX calls of one process into ranges and marks.
#pragma once

#include "collector/inject/spool_format.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tacho {

/// One row of NVTX_EVENTS: a range or a mark.
struct NvtxRow {
    spool::NvtxEvent begin{};           ///< the call that began it; its action says which kind this is
    std::string text;                   ///< empty where begin.registered names it
    std::optional<std::uint64_t> endNs; ///< absent: a mark, or a range nobody ended
    std::uint32_t endThreadId = 0;      ///< the thread that ended it
    std::string payload;                ///< "schema id:hexadecimal bytes"; empty: none
};

/// Pairs Push with Pop per thread and domain, Start with End by range id. Calls may come out of their order
/// by up to kLongestDisorder: the injected library writes the buffers of a thread as they fill.
class NvtxRanges {
  public:
    using Sink = std::function<void(const NvtxRow&)>; ///< gets every row once
    static constexpr std::chrono::nanoseconds kLongestDisorder = std::chrono::seconds(1);

    explicit NvtxRanges(Sink sink) : m_sink(std::move(sink)) {}
    void add(const spool::NvtxEvent& event, std::string_view text);
    /// Bytes that belong to the event which the same thread wrote last.
    void addPayload(const spool::NvtxPayload& payload, std::string_view bytes);
    /// Hands out the rest, what is still open without an end. Nothing may be added afterwards.
    void finish();
    /// Pops without a Push, Ends without a Start, payloads without an event; complete after finish().
    [[nodiscard]] std::uint64_t unmatched() const { return m_unmatched; }

  private:
    using Waiting = std::multimap<std::uint64_t, NvtxRow>; ///< by time; a row yet without its end
    using ThreadAndDomain = std::pair<std::uint32_t, std::uint32_t>;
    void pairUpTo(std::uint64_t timeNs);
    void pair(NvtxRow call);
    void end(NvtxRow& row, const spool::NvtxEvent& by);
    void pop(const spool::NvtxEvent& event);
    void endStarted(const spool::NvtxEvent& event);

    Sink m_sink;
    Waiting m_waiting;
    std::map<std::uint32_t, Waiting::iterator> m_last; ///< by thread, while it waits: its payload may follow
    std::map<ThreadAndDomain, std::vector<NvtxRow>> m_pushed; ///< innermost last
    std::map<std::uint64_t, NvtxRow> m_started;               ///< by range id
    std::uint64_t m_newestNs = 0;
    std::uint64_t m_unmatched = 0;
};

} // namespace tacho
