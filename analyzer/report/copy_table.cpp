// SPDX-License-Identifier: Apache-2.0
#include "analyzer/report/copy_table.h"

#include "analyzer/metrics/copy_summary.h"
#include "analyzer/metrics/op_summary.h"
#include "analyzer/model/memory_kind.h"

namespace tacho {

Table copyTable(const Trace& trace) {
    constexpr double kBytesPerMegabyte = 1e6;
    Table table{"copies",
                "Copies by direction and memory",
                {{"Device"},
                 {"Count"},
                 {"Bytes", Unit::Megabytes},
                 {"Time", Unit::Nanoseconds},
                 {"Exposed", Unit::Nanoseconds},
                 {"Throughput", Unit::MegabytesPerSecond},
                 {"Large Throughput", Unit::MegabytesPerSecond, true},
                 {"Synchronous", Unit::None, true},
                 {"On Compute Stream", Unit::None, true},
                 {"SrcMemKd"},
                 {"DstMemKd"},
                 {"Operation"}},
                {}};
    for (const CopySummary& copies : summariseCopies(trace)) {
        const Device& device = trace.devices[static_cast<std::size_t>(copies.device)];
        const Cell large = copies.largeBytesPerSecond ? Cell{*copies.largeBytesPerSecond / kBytesPerMegabyte}
                                                      : Cell{std::string()};
        table.rows.push_back({std::int64_t{device.id}, copies.count,
                              static_cast<double>(copies.bytes) / kBytesPerMegabyte,
                              std::int64_t{copies.time.count()}, std::int64_t{copies.exposed.count()},
                              copies.bytesPerSecond() / kBytesPerMegabyte, large, copies.synchronous,
                              copies.onComputeStream, std::string(titleOf(copies.source)),
                              std::string(titleOf(copies.destination)), std::string(copyLabel(copies.kind))});
    }
    return table;
}

} // namespace tacho
