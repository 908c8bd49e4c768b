// SPDX-License-Identifier: Apache-2.0
#include "analyzer/report/copy_table.h"

#include "analyzer/metrics/copy_summary.h"
#include "analyzer/metrics/link_peak.h"
#include "analyzer/metrics/op_summary.h"
#include "analyzer/metrics/upload_sizes.h"
#include "analyzer/model/memory_kind.h"

namespace tacho {
namespace {

/// How near the large copies come to what the GPU's PCI Express can carry.
Cell shareOfPcie(const CopySummary& copies, const Device& device) {
    const bool isOfHost = copies.kind == CopyKind::HostToDevice || copies.kind == CopyKind::DeviceToHost;
    const auto peak = pcieBytesPerSecond(device);
    if (!isOfHost || !peak || !copies.largeBytesPerSecond)
        return std::string();
    return 100 * *copies.largeBytesPerSecond / *peak;
}

} // namespace

Table copyTable(const Trace& trace) {
    Table table{"copies",
                "Copies by direction and memory",
                {{"Device"},
                 {"Count"},
                 {"Bytes", Unit::Megabytes},
                 {"Time", Unit::Nanoseconds},
                 {"Exposed", Unit::Nanoseconds},
                 {"Throughput", Unit::MegabytesPerSecond},
                 {"Large Throughput", Unit::MegabytesPerSecond, true},
                 {"Of PCIe", Unit::Percent, true},
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
                              copies.bytesPerSecond() / kBytesPerMegabyte, large, shareOfPcie(copies, device),
                              copies.synchronous, copies.onComputeStream, std::string(titleOf(copies.source)),
                              std::string(titleOf(copies.destination)), std::string(copyLabel(copies.kind))});
    }
    return table;
}

Table uploadTable(const Trace& trace) {
    Table table{"uploads",
                "Copies to the GPU in analysed steps, by size",
                {{"Device"},
                 {"Size", Unit::Megabytes},
                 {"Count"},
                 {"Steps"},
                 {"In Every Step"},
                 {"Time", Unit::Nanoseconds},
                 {"SrcMemKd"}},
                {}};
    for (const UploadSize& upload : uploadSizes(trace))
        table.rows.push_back({std::int64_t{trace.devices[static_cast<std::size_t>(upload.device)].id},
                              static_cast<double>(upload.bytes) / kBytesPerMegabyte, upload.count,
                              upload.steps, std::string(upload.isOfEveryStep() ? "yes" : "no"),
                              std::int64_t{upload.time.count()}, std::string(titleOf(upload.source))});
    return table;
}

} // namespace tacho
