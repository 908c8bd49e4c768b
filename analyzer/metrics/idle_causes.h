// SPDX-License-Identifier: Apache-2.0
// Why a GPU was idle: each gap is split by what the host did until it issued the next piece of GPU work.
#pragma once

#include "analyzer/metrics/intervals.h"
#include "analyzer/model/trace.h"

#include <array>
#include <string_view>

namespace tacho {

/// In order of precedence: where two hold at once, the first is the cause.
enum class IdleCause : std::uint8_t {
    ModuleLoad, ///< loading or compiling GPU code; the first launch of a kernel that takes long is that, too
    LaunchLatency,     ///< the next work had been issued: driver, queue, dependency on other streams
    NoData,            ///< the next work has no launch in the file
    HostCommunication, ///< in gloo or MPI
    DataLoading,       ///< in a data loader's range
    BlockingCopy,      ///< in a call that copies
    Allocation,        ///< in a call that allocates, frees or registers memory
    Synchronisation,   ///< in a synchronising call, or not yet going again after one that let the GPU run dry
    HostLaunch,        ///< the rest: the host ran other code and was late with the next launch
};
inline constexpr std::size_t kIdleCauses = 9;
[[nodiscard]] std::string_view nameOf(IdleCause cause); ///< as in JSON: "host_launch"

/// Invariant: the parts are disjoint and add up to the idle time of the device in the window, as far as it
/// was recorded.
struct IdleTime {
    std::array<IntervalSet, kIdleCauses> parts;
    [[nodiscard]] const IntervalSet& operator[](IdleCause cause) const {
        return parts[static_cast<std::size_t>(cause)];
    }
    [[nodiscard]] DurationNs length(IdleCause cause) const { return (*this)[cause].totalLength(); }
    [[nodiscard]] DurationNs total() const;
};

[[nodiscard]] IdleTime explainIdleTime(const Trace& trace, DeviceIndex device, Interval window);

/// Ranges of a process in which its host waits for input (a DataLoader's next, or named so).
[[nodiscard]] IntervalSet dataLoadingRanges(const Trace& trace, ProcessIndex process);
/// Ranges of a process in which it communicates without the GPU: gloo, MPI.
[[nodiscard]] IntervalSet hostCommunicationRanges(const Trace& trace, ProcessIndex process);

} // namespace tacho
