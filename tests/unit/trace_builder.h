// SPDX-License-Identifier: Apache-2.0
// Makes small traces for tests: trace().kernel("gemm", 10us, 5us).launch(...).build(). Times count from 0.
#pragma once

#include "analyzer/model/trace.h"

#include <string>
#include <vector>

namespace tacho::test {

using namespace std::chrono_literals;

/// Adds to the process and device chosen last; there is one of each from the start. Events may come in any
/// order.
class TraceBuilder {
  public:
    TraceBuilder();

    TraceBuilder& process(int rank,
                          int worldSize); ///< a further process with a device and a thread of its own
    TraceBuilder& deviceNamed(const std::string& name, int computeMajor, int computeMinor,
                              const std::string& chip = "");

    /// A kernel launched by a call of 5 us that ends `lead` before the kernel starts.
    TraceBuilder& kernel(const std::string& name, DurationNs at, DurationNs length, DurationNs lead = 5us);
    /// A kernel that starts when its launch call of the given length ends.
    TraceBuilder& slowKernel(const std::string& name, DurationNs at, DurationNs length, DurationNs call);
    /// A kernel whose launch is not in the file.
    TraceBuilder& orphanKernel(const std::string& name, DurationNs at, DurationNs length);
    /// A copy made by a call over the same time.
    TraceBuilder& copy(CopyKind kind, MemoryKind hostSide, std::int64_t bytes, DurationNs at,
                       DurationNs length);
    TraceBuilder& call(ApiKind kind, const std::string& name, DurationNs at, DurationNs length);
    TraceBuilder& range(RangeKind kind, const std::string& name, DurationNs at, DurationNs length);
    /// Told of at the time, by default of NCCL among as many ranks as the process says.
    TraceBuilder& collective(CollectiveKind kind, std::int64_t bytes, DurationNs at, DurationNs length,
                             const std::string& group = "world", const std::string& backend = "nccl");
    /// Calls, ranges and what follows are of another thread of the process.
    TraceBuilder& thread(const std::string& name);
    TraceBuilder& overhead(OverheadKind kind, DurationNs at, DurationNs length);
    TraceBuilder& jit(JitKind kind, DurationNs at, DurationNs length);
    /// Of a kernel of the process chosen last: words as in TACHO_KERNEL_CODE.
    TraceBuilder& kernelCode(const std::string& name, const std::string& tensorTypes);
    /// Device memory; negative: it is freed.
    TraceBuilder& memoryEvent(std::int64_t bytes, DurationNs at);
    TraceBuilder& memorySample(std::int64_t allocatedBytes, std::int64_t reservedBytes,
                               std::int64_t peakBytes, DurationNs at);
    TraceBuilder& step(std::int64_t index, DurationNs at, DurationNs length, bool profiled = true);
    TraceBuilder& window(DurationNs at, DurationNs length);
    /// Of five steps that take the given time each.
    TraceBuilder& block(std::int64_t firstStep, DurationNs at, DurationNs stepLength, bool profiled);
    /// Of the process chosen last, as the hook sends them.
    TraceBuilder& fact(const std::string& name, const std::string& value);
    /// A value of a counter of the device chosen last. In the order of time.
    TraceBuilder& counter(const std::string& name, DurationNs at, double value);
    TraceBuilder& health(Severity severity, const std::string& code, const std::string& message);

    /// The columns in their order, launches joined.
    [[nodiscard]] Trace build();

  private:
    struct GpuRow {
        TimeNs start, end;
        std::string name;
        GpuOpKind kind{};
        CopyKind copyKind{};
        MemoryKind srcKind = MemoryKind::Unknown, dstKind = MemoryKind::Unknown;
        std::int64_t bytes = 0;
        DeviceIndex device{};
        std::uint32_t correlation = 0; ///< 1 + index into m_calls; 0: orphan
    };
    struct CallRow {
        TimeNs start, end;
        ApiKind kind{};
        std::string name;
        ThreadIndex thread{};
        std::uint32_t correlation = 0;
    };
    struct RangeRow {
        TimeNs start, end;
        RangeKind kind{};
        std::string name;
        ThreadIndex thread{};
    };
    std::uint32_t addCall(ApiKind kind, const std::string& name, DurationNs at, DurationNs length);
    void buildCalls();
    void buildGpuOps();
    void buildRanges();

    Trace m_trace;
    DeviceIndex m_device{};
    ThreadIndex m_thread{};
    ProcessIndex m_process{};
    std::vector<GpuRow> m_ops;
    std::vector<CallRow> m_calls;
    std::vector<RangeRow> m_ranges;
};

inline TraceBuilder trace() {
    return {};
}

} // namespace tacho::test
