// SPDX-License-Identifier: Apache-2.0
// What each GPU did over the time of a capture or a part of it.
#pragma once

#include "analyzer/metrics/device_rows.h"
#include "analyzer/metrics/intervals.h"
#include "analyzer/metrics/kernel_times.h"
#include "analyzer/model/trace.h"

#include <optional>
#include <span>
#include <vector>

namespace tacho {

/// Durations are lengths of unions: two kernels at the same time count once. A GPU shared by two processes
/// has a row in each.
struct DeviceBreakdown {
    DeviceIndex device{};
    ProcessIndex process{};
    std::optional<int> rank;            ///< of the process
    std::int64_t events = 0;            ///< kernels, copies and sets
    DurationNs span{0};                 ///< see recordedTime()
    DurationNs busy{0};                 ///< kernels, copies and sets
    DurationNs idle{0};                 ///< span - busy
    DurationNs compute{0};              ///< kernels that are not communication
    DurationNs communication{0};        ///< see isCommunicationKernel()
    DurationNs communicationExposed{0}; ///< communication while no compute kernel ran
    DurationNs memory{0};               ///< copies and sets
    DurationNs h2d{0}, d2h{0};          ///< copies from and to host memory
    std::int64_t h2dBytes = 0, d2hBytes = 0;
    std::int64_t pageableCopies = 0; ///< copies whose host side is pageable memory

    bool operator==(const DeviceBreakdown&) const = default;
};

/// One row per device whose work was recorded, sorted by rank, then device id, then process. With a clip,
/// durations are of the time inside it, and events, bytes and pageable copies are those of the work that
/// starts inside it, so that rows of adjacent clips add up.
[[nodiscard]] std::vector<DeviceBreakdown> breakDownDevices(const Trace& trace,
                                                            std::optional<Interval> clip = {});

/// The same, where rows, kinds of kernels and recorded time are at hand.
[[nodiscard]] std::vector<DeviceBreakdown> breakDownDevices(const Trace& trace, const DeviceRows& rows,
                                                            const std::vector<KernelKind>& kinds,
                                                            const std::vector<IntervalSet>& recorded,
                                                            std::optional<Interval> clip = {});

/// One such row. `rows`: the work of the device; `kinds`: judged by judgeKernelNames(); `recorded`: when the
/// device's work was recorded.
[[nodiscard]] DeviceBreakdown breakDownDevice(const Trace& trace, DeviceIndex device,
                                              std::span<const std::uint32_t> rows,
                                              const std::vector<KernelKind>& kinds,
                                              const IntervalSet& recorded, std::optional<Interval> clip = {});

} // namespace tacho
