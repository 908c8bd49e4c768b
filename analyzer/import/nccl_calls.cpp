// SPDX-License-Identifier: Apache-2.0
#include "analyzer/import/nccl_calls.h"

#include "analyzer/model/collective_kind.h"
#include "analyzer/model/plausible.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <optional>

namespace tacho {
namespace {

/// Little-endian number of 8 bytes in hexadecimal.
std::optional<std::uint64_t> numberAt(std::string_view hex, std::size_t byte) {
    if (hex.size() < 2 * (byte + 8))
        return std::nullopt;
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < 8; ++i) {
        unsigned value = 0;
        const char* const digits = hex.data() + 2 * (byte + i);
        if (std::from_chars(digits, digits + 2, value, 16).ptr != digits + 2)
            return std::nullopt;
        number |= std::uint64_t{value} << 8 * i;
    }
    return number;
}

/// NCCL's payloads are the hash of the communicator, the size, and what the call has more: operation, root or
/// peer. Before NCCL 2.24 the hash is missing. All of it takes 8 bytes each.
bool hasCommunicator(CollectiveKind kind, std::size_t payloadBytes) {
    const bool hasMore = kind != CollectiveKind::AllGather && kind != CollectiveKind::AllToAll;
    return payloadBytes >= (hasMore ? 24U : 16U);
}

/// The calls between ncclGroupStart and ncclGroupEnd, whose kernels the end launches.
class NcclGroup {
  public:
    void add(const Collective& row, bool isReceive) {
        if (row.kind != CollectiveKind::SendReceive) {
            m_rows.push_back(row);
            return;
        }
        if (!m_exchange)
            m_exchange = row;
        (isReceive ? m_received : m_sent) += std::max<std::int64_t>(row.bytes, 0);
    }
    void finish(TimeNs end, std::vector<Collective>& to) {
        if (m_exchange) { // one exchange among all peers, as large as what goes out or comes in
            m_exchange->bytes = std::max(m_sent, m_received) > 0 ? std::max(m_sent, m_received) : -1;
            m_rows.push_back(*m_exchange);
        }
        for (Collective& row : m_rows) {
            row.interval.end = std::max(row.interval.end, end);
            to.push_back(row);
        }
        *this = {};
    }

  private:
    std::vector<Collective> m_rows;
    std::optional<Collective> m_exchange;
    std::int64_t m_sent = 0, m_received = 0;
};

} // namespace

void NcclCalls::add(ThreadIndex thread, std::string_view name, Interval interval, std::string_view payload) {
    Call call;
    call.interval = interval;
    call.role = name == "ncclGroupStart" ? Role::GroupStart
                : name == "ncclGroupEnd" ? Role::GroupEnd
                : name == "ncclRecv"     ? Role::Receive
                                         : Role::Collective;
    call.kind = collectiveKindOf(name);
    if (call.role == Role::Collective && call.kind == CollectiveKind::Unknown)
        return; // ncclCommInitRank and the like
    const std::size_t hexAt = payload.find(':');
    if (hexAt != std::string_view::npos) {
        const std::string_view hex = payload.substr(hexAt + 1, payload.find(' ') - hexAt - 1);
        const bool isNew = hasCommunicator(call.kind, hex.size() / 2);
        call.communicator = isNew ? numberAt(hex, 0).value_or(0) : 0;
        const auto bytes = numberAt(hex, isNew ? 8 : 0);
        call.bytes = bytes && *bytes <= kMostBytes ? static_cast<std::int64_t>(*bytes) : -1;
    }
    m_calls[thread].push_back(call);
}

int NcclCalls::ranksOf(std::uint64_t communicator, const Process& process) const {
    // NCCL does not tell. But if as many processes use it as there are ranks, then it is theirs.
    const auto users = m_users.find(communicator);
    const int worldSize = process.worldSize.value_or(0);
    return users != m_users.end() && static_cast<int>(users->second.size()) == worldSize ? worldSize : 0;
}

Collective NcclCalls::rowOf(const Call& call, ThreadIndex thread, Trace& trace) const {
    const ProcessIndex process = trace.threads[static_cast<std::size_t>(thread)].process;
    Collective row{process, thread, call.interval, call.kind, CollectiveSource::Nvtx};
    row.backend = trace.strings.intern("nccl");
    if (call.communicator != 0) {
        row.group = trace.strings.intern(fmt::format("{:016x}", call.communicator));
        row.ranks = ranksOf(call.communicator, trace.processes[static_cast<std::size_t>(process)]);
    }
    row.bytes = call.bytes;
    if (isCountedPerRank(call.kind))
        row.bytes = call.bytes < 0 || row.ranks == 0 ? -1 : call.bytes * row.ranks;
    return row;
}

void NcclCalls::appendTo(Trace& trace) {
    for (auto& [thread, calls] : m_calls) {
        std::stable_sort(calls.begin(), calls.end(),
                         [](const Call& a, const Call& b) { return a.interval.start < b.interval.start; });
        for (const Call& call : calls)
            m_users[call.communicator].insert(trace.threads[static_cast<std::size_t>(thread)].process);
    }
    for (const auto& [thread, calls] : m_calls) {
        int depth = 0;
        NcclGroup group;
        for (const Call& call : calls) {
            if (call.role == Role::GroupStart) {
                ++depth;
            } else if (call.role == Role::GroupEnd) {
                depth = std::max(depth - 1, 0);
                if (depth == 0)
                    group.finish(call.interval.end, trace.collectives);
            } else if (depth == 0) {
                trace.collectives.push_back(rowOf(call, thread, trace));
            } else {
                group.add(rowOf(call, thread, trace), call.role == Role::Receive);
            }
        }
        group.finish(TimeNs::min(), trace.collectives);
    }
}

} // namespace tacho
