// SPDX-License-Identifier: Apache-2.0
#include "analyzer/report/collective_table.h"

#include "analyzer/metrics/collectives.h"
#include "analyzer/model/collective_kind.h"

namespace tacho {
namespace {

template <class Value, class Show>
Cell cellOf(const std::optional<Value>& value, Show show) {
    return value ? Cell{show(*value)} : Cell{std::string()};
}

std::vector<Cell> cellsOf(const Trace& trace, const CollectiveSummary& summary) {
    const CollectiveRun& like = summary.like;
    const Process& process = trace.processes[static_cast<std::size_t>(like.process)];
    const auto whole = [](auto number) { return std::int64_t{number}; };
    const auto nanoseconds = [](DurationNs time) { return std::int64_t{time.count()}; };
    const auto megabytes = [](auto bytes) { return static_cast<double>(bytes) / kBytesPerMegabyte; };
    const auto device =
        like.device ? std::optional(trace.devices[static_cast<std::size_t>(*like.device)].id) : std::nullopt;
    return {cellOf(process.rank, whole),
            cellOf(device, whole),
            std::string(nameOf(like.kind)),
            like.bytes < 0 ? Cell{std::string()} : Cell{megabytes(like.bytes)},
            summary.count,
            nanoseconds(summary.time),
            nanoseconds(summary.exposed),
            cellOf(summary.wait, nanoseconds),
            nanoseconds(summary.shortest),
            cellOf(summary.algorithmBandwidth(), megabytes),
            cellOf(summary.busBandwidth(), megabytes),
            like.ranks > 0 ? Cell{std::int64_t{like.ranks}} : Cell{std::string()},
            std::string(like.backend),
            std::string(trace.text(like.group))};
}

} // namespace

Table collectiveTable(const Trace& trace) {
    Table table{"collectives",
                "Collectives by rank, kind and size",
                {{"Rank"},
                 {"Device", Unit::None, true},
                 {"Collective"},
                 {"Size", Unit::Megabytes},
                 {"Count"},
                 {"Time", Unit::Nanoseconds},
                 {"Exposed", Unit::Nanoseconds},
                 {"Waiting", Unit::Nanoseconds},
                 {"Shortest", Unit::Nanoseconds, true},
                 {"AlgBW", Unit::MegabytesPerSecond},
                 {"BusBW", Unit::MegabytesPerSecond},
                 {"Ranks", Unit::None, true},
                 {"Backend", Unit::None, true},
                 {"Group", Unit::None, true}},
                {}};
    const auto runs = listCollectives(trace, DeviceRows(trace), judgeKernelNames(trace));
    for (const CollectiveSummary& summary : summariseCollectives(runs))
        table.rows.push_back(cellsOf(trace, summary));
    return table;
}

} // namespace tacho
