// SPDX-License-Identifier: Apache-2.0
// Collectives: how large, how fast, what hides them, and how much of their time is waiting for a late rank.
#pragma once

#include "analyzer/metrics/device_rows.h"
#include "analyzer/metrics/intervals.h"
#include "analyzer/metrics/kernel_times.h"
#include "analyzer/model/trace.h"

#include <optional>
#include <string>
#include <vector>

namespace tacho {

/// One collective as one rank carried it out.
struct CollectiveRun {
    ProcessIndex process{};
    std::optional<DeviceIndex> device; ///< whose kernel does it; absent: the host does
    std::uint32_t gpuOp = kNoRow;      ///< that kernel
    CollectiveKind kind = CollectiveKind::Unknown;
    Interval interval;       ///< of the kernel, or on the host of the exchange
    std::int64_t bytes = -1; ///< see Collective::bytes
    int ranks = 0;           ///< in the group; 0: not known
    StringId group{};
    std::string_view backend; ///< "nccl", "gloo", "mpi"; lives as long as the trace
    DurationNs exposed{0}; ///< while no compute kernel ran on the GPU, or of the host's while the process had
                           ///< no kernel running
    /// Every rank is in a collective until the last one has come and the data has moved. So the shortest stay
    /// of all ranks in it is an upper bound of how long the data took, and what others stay longer is
    /// waiting. Absent: no other rank was recorded, or theirs cannot be told apart; one rank alone cannot
    /// tell.
    std::optional<DurationNs> transfer;

    [[nodiscard]] DurationNs wait() const { return transfer ? interval.length() - *transfer : DurationNs{0}; }
};

/// By process, then start. A kernel is tied to what told of its call by its correlation id, or by being
/// launched during the call on the same thread. The same collective on several ranks is the n-th of its group
/// and kind in each of them, where all ranks have as many and the sizes agree.
[[nodiscard]] std::vector<CollectiveRun> listCollectives(const Trace& trace, const DeviceRows& rows,
                                                         const std::vector<KernelKind>& kinds);

/// When a device was in collectives that moved no data yet: from the start of each to when its transfer takes
/// the rest, less the time of those that may be moving data. `runs`: of listCollectives().
[[nodiscard]] IntervalSet waitForRanks(const std::vector<CollectiveRun>& runs, DeviceIndex device);

/// All runs of one kind, group and size on one device, or on the host of one process.
struct CollectiveSummary {
    CollectiveRun like; ///< the first: kind, sizes, group, device, process
    std::int64_t count = 0;
    DurationNs time{0};                       ///< sum
    DurationNs exposed{0};                    ///< sum
    DurationNs shortest{0};                   ///< of one run
    std::optional<DurationNs> wait, transfer; ///< sums; absent unless known of all runs

    /// Size by time: of the transfers, or of the shortest run, which waited least. Below kLeastLinkBytes the
    /// time is that of the start, not of the link, and there is no bandwidth. In bytes per second.
    [[nodiscard]] std::optional<double> algorithmBandwidth() const;
    /// See busFactor(): to be compared with the speed of the link.
    [[nodiscard]] std::optional<double> busBandwidth() const;
};
/// From there on collectives of NCCL are bound by bandwidth, not by latency, on NVLink and on PCIe.
inline constexpr std::int64_t kLeastLinkBytes = 1'000'000;

/// Most time first.
[[nodiscard]] std::vector<CollectiveSummary> summariseCollectives(const std::vector<CollectiveRun>& runs);

} // namespace tacho
