// SPDX-License-Identifier: Apache-2.0
// Collectives from the NVTX ranges that NCCL opens around its calls, with sizes where their payload was
// recorded.
#pragma once

#include "analyzer/model/trace.h"

#include <map>
#include <set>
#include <string_view>
#include <vector>

namespace tacho {

inline constexpr std::string_view kNcclDomain = "NCCL";

/// Gathers the ranges of one file, in any order.
class NcclCalls {
  public:
    /// `payload` as tacho writes it to NVTX_EVENTS.binaryData; "" if there is none.
    void add(ThreadIndex thread, std::string_view name, Interval interval, std::string_view payload);

    /// Adds them to the trace, whose processes must know their world size by now.
    void appendTo(Trace& trace);

  private:
    enum class Role : std::uint8_t { Collective, Receive, GroupStart, GroupEnd };
    struct Call {
        Interval interval;
        CollectiveKind kind = CollectiveKind::Unknown;
        Role role = Role::Collective;
        std::int64_t bytes = -1;
        std::uint64_t communicator = 0; ///< 0: not known
    };
    [[nodiscard]] int ranksOf(std::uint64_t communicator, const Process& process) const;
    Collective rowOf(const Call& call, ThreadIndex thread, Trace& trace) const;

    std::map<ThreadIndex, std::vector<Call>> m_calls;
    std::map<std::uint64_t, std::set<ProcessIndex>> m_users; ///< of each communicator
};

} // namespace tacho
