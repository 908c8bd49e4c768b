// SPDX-License-Identifier: Apache-2.0
#include "analyzer/model/collective_kind.h"

#include <array>
#include <cctype>
#include <string>

namespace tacho {
namespace {

struct KindMark {
    std::string_view mark; ///< in lower case, without underscores
    CollectiveKind kind;
};
/// The first that is found counts: "reducescatter" holds two others.
constexpr std::array<KindMark, 12> kMarks = {{
    {"allreduce", CollectiveKind::AllReduce},
    {"reducescatter", CollectiveKind::ReduceScatter},
    {"allgather", CollectiveKind::AllGather},
    {"alltoall", CollectiveKind::AllToAll},
    {"broadcast", CollectiveKind::Broadcast},
    {"bcast", CollectiveKind::Broadcast},
    {"barrier", CollectiveKind::Barrier},
    {"gather", CollectiveKind::Gather},
    {"scatter", CollectiveKind::Scatter},
    {"send", CollectiveKind::SendReceive},
    {"recv", CollectiveKind::SendReceive},
    {"reduce", CollectiveKind::Reduce},
}};

} // namespace

CollectiveKind collectiveKindOf(std::string_view name) {
    std::string plain;
    for (const char c : name)
        if (c != '_')
            plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    for (const KindMark& known : kMarks)
        if (plain.find(known.mark) != std::string::npos)
            return known.kind;
    return CollectiveKind::Unknown;
}

std::string_view nameOf(CollectiveKind kind) {
    static constexpr std::array<std::string_view, 11> kNames = {
        "unknown",    "all_reduce", "broadcast", "reduce",       "all_gather", "reduce_scatter",
        "all_to_all", "gather",     "scatter",   "send_receive", "barrier"};
    return kNames[static_cast<std::size_t>(kind)];
}

double busFactor(CollectiveKind kind, int ranks) {
    const double others = static_cast<double>(ranks - 1) / ranks;
    if (kind == CollectiveKind::AllReduce)
        return 2 * others;
    return isCountedPerRank(kind) ? others : 1;
}

bool isCountedPerRank(CollectiveKind kind) {
    return kind == CollectiveKind::AllGather || kind == CollectiveKind::ReduceScatter ||
           kind == CollectiveKind::AllToAll || kind == CollectiveKind::Gather ||
           kind == CollectiveKind::Scatter;
}

bool isOfHost(const Trace& trace, const Collective& told) {
    const std::string_view backend = trace.text(told.backend);
    return backend == "gloo" || backend == "mpi";
}

} // namespace tacho
