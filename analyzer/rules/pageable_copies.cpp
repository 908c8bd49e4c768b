// SPDX-License-Identifier: Apache-2.0
// Copies whose host side is pageable memory: the driver stages them, they block the host and cannot overlap.
#include "analyzer/rules/all_rules.h"
#include "analyzer/rules/quantity_text.h"
#include "analyzer/rules/training_facts.h"

#include <fmt/format.h>

#include <algorithm>

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

std::string directionsText(const CopyTotal& in, const CopyTotal& out) {
    const auto text = [](const char* direction, const CopyTotal& total) {
        return fmt::format("{} {} at {:.1f} GB/s", direction, durationText(total.time),
                           total.gigabytesPerSecond());
    };
    if (out.count == 0)
        return text("host-to-device", in);
    return in.count == 0 ? text("device-to-host", out)
                         : text("host-to-device", in) + ", " + text("device-to-host", out);
}

std::string pinningAdvice(const Trace& trace, const Measurements& measurements) {
    const auto worst = std::max_element(
        measurements.devices.begin(), measurements.devices.end(),
        [](const auto& a, const auto& b) { return a.copies.pageable.exposed < b.copies.pageable.exposed; });
    if (frameworkOf(trace, *worst) == Framework::Other)
        return "Allocate the host side pinned, once, outside of the loop: cudaMallocHost or "
               "cudaHostRegister.";
    if (factsOf(trace, *worst).isOn("dataloader.pin_memory"))
        return "The DataLoader pins its batches, so these are other copies: use tensor.pin_memory() for what "
               "is "
               "made outside of it, and a pinned tensor as target of results.";
    return "Allocate the host side pinned: DataLoader(pin_memory=True) with .to(device, non_blocking=True); "
           "in C++ cudaMallocHost or cudaHostRegister once, outside the loop.";
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
    finding->title = fmt::format("Copies of pageable memory take {} of the time with nothing to hide it: {}",
                                 percentText(finding->atMost.share), directionsText(in, out));
    finding->evidence.insert(finding->evidence.end(), {{"h2d_pageable_ns", std::int64_t{in.time.count()}},
                                                       {"h2d_pageable_bytes", in.bytes},
                                                       {"h2d_pageable_copies", in.count},
                                                       {"d2h_pageable_ns", std::int64_t{out.time.count()}},
                                                       {"d2h_pageable_bytes", out.bytes},
                                                       {"d2h_pageable_copies", out.count}});
    finding->advice = {pinningAdvice(trace, measurements),
                       "Copy the smaller type (uint8 or float16 instead of float64) and convert on the GPU."};
    listLongestCopies(trace, measurements, *finding);
    return finding;
}

} // namespace tacho
