// SPDX-License-Identifier: Apache-2.0
// Turns the NVTX calls of one process into ranges and marks.
#pragma once

#include "collector/inject/spool_format.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
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

/// Pairs Push with Pop per thread and domain, Start with End by range id. Expects the calls of a thread in
/// their order; calls of different threads may come in any order.
class NvtxRanges {
  public:
    using Sink = std::function<void(const NvtxRow&)>; ///< gets every row once, as soon as it is complete

    explicit NvtxRanges(Sink sink) : m_sink(std::move(sink)) {}
    void add(const spool::NvtxEvent& event, std::string_view text);
    /// Bytes that belong to the event which the same thread wrote last.
    void addPayload(const spool::NvtxPayload& payload, std::string_view bytes);
    /// Hands out what is still open, without an end. Nothing may be added afterwards.
    void finish();
    /// Pops without a Push; after finish() also Ends without a Start.
    [[nodiscard]] std::uint64_t unmatched() const { return m_unmatched; }

  private:
    struct Thread {
        std::map<std::uint32_t, std::vector<NvtxRow>> open; ///< by domain, innermost last
        std::optional<NvtxRow> mark;                        ///< kept back, as its payload may follow
        std::pair<spool::NvtxAction, std::uint64_t> last{}; ///< action, and domain or range id
    };
    struct RangeEnd {
        std::uint64_t timeNs;
        std::uint32_t threadId;
    };
    void pop(Thread& thread, const spool::NvtxEvent& event);
    void start(NvtxRow row);
    void end(const spool::NvtxEvent& event);
    void emitMark(Thread& thread);
    [[nodiscard]] NvtxRow* lastRow(Thread& thread);

    Sink m_sink;
    std::map<std::uint32_t, Thread> m_threads;
    std::unordered_map<std::uint64_t, NvtxRow> m_started;
    std::unordered_map<std::uint64_t, RangeEnd> m_ended; ///< an End that came before its Start
    std::uint64_t m_unmatched = 0;
};

} // namespace tacho
