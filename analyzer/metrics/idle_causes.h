// SPDX-License-Identifier: Apache-2.0
// Why a GPU was idle: each gap is split by what the host did until it issued the next piece of GPU work.
#pragma once

#include "analyzer/metrics/device_rows.h"
#include "analyzer/metrics/host_times.h"
#include "analyzer/metrics/intervals.h"
#include "analyzer/model/trace.h"

#include <array>
#include <string_view>

namespace tacho {

/// In order of precedence: where two hold at once, the first is the cause.
enum class IdleCause : std::uint8_t {
    ModuleLoad, ///< loading or compiling GPU code; the first launch of a kernel that takes long is that, too
    Profiler,   ///< recording itself, as far as the file says so
    BlockingCopy,      ///< in a call that copies
    LaunchLatency,     ///< the next work had been issued, and was on its way as long as work usually is
    DependencyWait,    ///< issued, but not started for longer than that: it waited for a stream or an event
    NoData,            ///< the next work has no launch in the file
    HostCommunication, ///< in gloo or MPI
    DataLoading,       ///< in a data loader's range
    Allocation,        ///< in a call that allocates, frees or registers memory
    Synchronisation,   ///< in a synchronising call, or not yet going again after one that let the GPU run dry
    ApiCall,           ///< in a call of another kind, that does not launch
    HostLaunch,        ///< the rest: the host ran other code and was late with the next launch
};
inline constexpr std::size_t kIdleCauses = 12;
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
    [[nodiscard]] IdleTime clipped(Interval to) const;
};

/// Borrows the trace and its rows. What the host did is gathered once, for all devices.
class IdleExplainer {
  public:
    /// `recorded`: see recordedTime().
    IdleExplainer(const Trace& trace, const DeviceRows& rows, const std::vector<IntervalSet>& recorded);

    [[nodiscard]] IdleTime explain(DeviceIndex device, Interval window) const;

  private:
    const Trace& m_trace;
    const DeviceRows& m_rows;
    const std::vector<IntervalSet>& m_recorded;
    std::vector<ProcessTimes> m_processes;
    std::unordered_map<ThreadIndex, ThreadCalls> m_calls;
};

} // namespace tacho
