// SPDX-License-Identifier: Apache-2.0
// Copies whose host side is pageable memory: the driver stages them, they block the host and cannot overlap.
#include "analyzer/rules/all_rules.h"
#include "analyzer/rules/quantity_text.h"

#include <fmt/format.h>

namespace tacho {
namespace {

bool isPageable(const GpuOps& ops, std::size_t row) {
    return ops.kind[row] == GpuOpKind::Memcpy &&
           (ops.srcKind[row] == MemoryKind::Pageable || ops.dstKind[row] == MemoryKind::Pageable);
}

void listLongestCopies(const Trace& trace, const Measurements& measurements, Finding& finding) {
    const Interval window = measurements.devices.front().window;
    DurationNs longest{0};
    for (std::size_t row = 0; row < trace.gpuOps.size(); ++row) {
        if (!isPageable(trace.gpuOps, row) || trace.gpuOps.start[row] < window.start)
            continue;
        if (finding.rows.size() < kMostRows)
            finding.rows.push_back(static_cast<std::uint32_t>(row));
        if (trace.gpuOps.interval(row).length() > longest) {
            longest = trace.gpuOps.interval(row).length();
            finding.where = trace.gpuOps.interval(row);
        }
    }
}

} // namespace

std::optional<Finding> checkPageableCopies(const Trace& trace, const Measurements& measurements) {
    auto finding =
        makeFinding("pageable_copies", shareOfWindows(measurements, [](const DeviceActivity& activity) {
                        return activity.copies.pageable.exposed;
                    }));
    if (!finding)
        return std::nullopt;
    CopyTotal in, out;
    for (const DeviceActivity& activity : measurements.devices) {
        const HostCopies& copies = activity.copies;
        in.time += copies.pageableToDevice.time;
        in.bytes += copies.pageableToDevice.bytes;
        in.count += copies.pageableToDevice.count;
        out.time += copies.pageableToHost.time;
        out.bytes += copies.pageableToHost.bytes;
        out.count += copies.pageableToHost.count;
    }
    finding->title =
        fmt::format("Copies use pageable memory: host-to-device {} at {:.1f} GB/s, device-to-host {}",
                    durationText(in.time), in.gigabytesPerSecond(), durationText(out.time));
    finding->evidence.insert(finding->evidence.end(), {{"h2d_pageable_ns", std::int64_t{in.time.count()}},
                                                       {"h2d_pageable_bytes", in.bytes},
                                                       {"h2d_pageable_copies", in.count},
                                                       {"d2h_pageable_ns", std::int64_t{out.time.count()}},
                                                       {"d2h_pageable_bytes", out.bytes},
                                                       {"d2h_pageable_copies", out.count}});
    finding->advice = {
        "Allocate the host side pinned: DataLoader(pin_memory=True) with .to(device, non_blocking=True); "
        "in C++ cudaMallocHost or cudaHostRegister once, outside the loop.",
        "Copy the smaller type (uint8 or float16 instead of float64) and convert on the GPU."};
    listLongestCopies(trace, measurements, *finding);
    return finding;
}

} // namespace tacho
