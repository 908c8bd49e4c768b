// SPDX-License-Identifier: Apache-2.0
// What was recorded, as columns in memory: one Trace per session, whatever file it came from.
#pragma once

#include "analyzer/model/string_table.h"
#include "analyzer/model/time.h"

#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tacho {

enum class ProcessIndex : std::uint16_t {}; ///< into Trace::processes
enum class DeviceIndex : std::uint16_t {};  ///< into Trace::devices
enum class ThreadIndex : std::uint32_t {};  ///< into Trace::threads

inline constexpr std::uint32_t kNoRow = std::numeric_limits<std::uint32_t>::max();
inline constexpr ThreadIndex kNoThread{kNoRow};

struct Process {
    std::int64_t pid = 0;
    std::string name;
    std::string commandLine;
    std::string file;        ///< path of the file it was read from
    std::optional<int> rank; ///< absent: not one of several ranks, or not known
    std::optional<int> worldSize;
    std::map<std::string, std::string>
        facts; ///< TACHO_FRAMEWORK: torch version, TF32 and AMP flags, batch ...
};

struct Thread {
    ProcessIndex process{};
    std::int64_t tid = 0;
    std::string name;
};

/// A GPU as one process saw it; two processes sharing a GPU have a row each. Unknown numbers are 0.
struct Device {
    ProcessIndex process{};
    std::int32_t id = 0; ///< CUDA ordinal in the process
    std::string name;    ///< trimmed; empty if the file does not say
    std::string chip;    ///< "TU116" where known
    std::int64_t memoryBytes = 0;
    std::int32_t smCount = 0;
    std::int32_t computeMajor = 0, computeMinor = 0;
    std::int32_t maxWarpsPerSm = 0, maxBlocksPerSm = 0;
    std::int64_t registersPerSm = 0, sharedMemoryPerSmBytes = 0;
};

/// A CUDA graph that was recorded as one is a kernel named kWholeGraph: work of unknown kinds.
enum class GpuOpKind : std::uint8_t { Kernel, Memcpy, Memset };
inline constexpr std::string_view kWholeGraph = "[CUDA graph]";

/// Values of ENUM_CUDA_MEMCPY_OPER.
enum class CopyKind : std::uint8_t {
    Unknown = 0,
    HostToDevice = 1,
    DeviceToHost = 2,
    HostToArray = 3,
    ArrayToHost = 4,
    ArrayToArray = 5,
    ArrayToDevice = 6,
    DeviceToArray = 7,
    DeviceToDevice = 8,
    HostToHost = 9,
    PeerToPeer = 10,
    UnifiedHostToDevice = 11,
    UnifiedDeviceToHost = 12,
    UnifiedDeviceToDevice = 13,
};

/// Values of ENUM_CUDA_MEM_KIND.
enum class MemoryKind : std::uint8_t {
    Pageable = 0,
    Pinned = 1,
    Device = 2,
    Array = 3,
    Managed = 4,
    DeviceStatic = 5,
    ManagedStatic = 6,
    Unknown = 7,
};

/// Launch configuration shared by many kernels. -1: the file does not say.
struct LaunchShape {
    std::array<std::int32_t, 3> grid{-1, -1, -1};
    std::array<std::int32_t, 3> block{-1, -1, -1};
    std::int32_t registersPerThread = -1;
    std::int32_t staticSharedMemoryBytes = -1;
    std::int32_t dynamicSharedMemoryBytes = -1;
    auto operator<=>(const LaunchShape&) const = default;
};

/// Kernels, copies and sets, one row each, sorted by start, then end. All columns have the same length.
struct GpuOps {
    std::vector<TimeNs> start, end;
    std::vector<StringId> name;             ///< demangled kernel name; "" for copies and sets
    std::vector<std::uint32_t> correlation; ///< unique in its process only; 0: none
    std::vector<std::uint32_t> stream;
    std::vector<DeviceIndex> device;
    std::vector<GpuOpKind> kind;
    std::vector<std::uint32_t> shape;    ///< kernels: into Trace::launchShapes, or kNoRow
    std::vector<std::uint32_t> launch;   ///< row of ApiCalls that issued it, or kNoRow (an orphan is kept)
    std::vector<std::int64_t> sizeBytes; ///< copies and sets; 0 for kernels
    std::vector<CopyKind> copyKind;      ///< copies
    std::vector<MemoryKind> srcKind, dstKind; ///< copies; of a set, dstKind
    std::vector<std::uint8_t> inGraph;        ///< 1: launched as a node of a CUDA graph, or is one

    [[nodiscard]] std::size_t size() const { return start.size(); }
    [[nodiscard]] Interval interval(std::size_t row) const { return {start[row], end[row]}; }
};

enum class ApiKind : std::uint8_t {
    Launch,
    GraphLaunch,
    Copy,
    Set,
    Synchronize,
    Allocate,
    Free,
    Module,
    Other
};

/// Calls of the CUDA runtime and driver on the host, sorted by start.
struct ApiCalls {
    std::vector<TimeNs> start, end;
    std::vector<StringId> name; ///< without version suffix: cudaLaunchKernel
    std::vector<ThreadIndex> thread;
    std::vector<std::uint32_t> correlation; ///< unique in its process only; 0: none
    std::vector<ApiKind> kind;

    [[nodiscard]] std::size_t size() const { return start.size(); }
    [[nodiscard]] Interval interval(std::size_t row) const { return {start[row], end[row]}; }
};

enum class RangeKind : std::uint8_t {
    Nvtx,         ///< NVTX push/pop range of the application or a library
    Phase,        ///< seen by tacho's hook: dataloader, forward, backward, optimizer
    Annotation,   ///< record_function of the user, or ProfilerStep
    Operator,     ///< framework operator on the host
    Mark,         ///< start == end
    NvtxStartEnd, ///< NVTX start/end range: may overlap others of its thread
};

/// Named spans on host threads, sorted by start, then longest first, so that a parent comes before its
/// children.
struct Ranges {
    std::vector<TimeNs> start, end;
    std::vector<StringId> name;
    std::vector<StringId> domain; ///< NVTX domain; "" the default one
    std::vector<ThreadIndex> thread;
    std::vector<RangeKind> kind;

    [[nodiscard]] std::size_t size() const { return start.size(); }
    [[nodiscard]] Interval interval(std::size_t row) const { return {start[row], end[row]}; }
};

/// Values of ENUM_CUPTI_SYNC_TYPE.
enum class SyncKind : std::uint8_t { Unknown = 0, Event = 1, StreamWaitEvent = 2, Stream = 3, Context = 4 };

/// Synchronisation as CUPTI saw it, sorted by start.
struct Syncs {
    std::vector<TimeNs> start, end;
    std::vector<SyncKind> kind;
    std::vector<ProcessIndex> process;
    std::vector<std::uint32_t> stream; ///< 0xffffffff: not of one stream
    std::vector<std::uint32_t> correlation;

    [[nodiscard]] std::size_t size() const { return start.size(); }
};

/// Values of ENUM_CUPTI_OVERHEAD_TYPE.
enum class OverheadKind : std::uint8_t {
    Undefined = 0,
    Unknown = 1,
    DriverCompiler = 2,
    BufferFlush = 3,
    Instrumentation = 4,
    Resource = 5,
    ModuleLoading = 6,
    LazyFunctionLoading = 7,
    CommandBufferFull = 8,
    BufferRequest = 9,
};

/// Time that the driver or the profiler took on a host thread, sorted by start.
struct Overheads {
    std::vector<TimeNs> start, end;
    std::vector<OverheadKind> kind;
    std::vector<ThreadIndex> thread; ///< or kNoThread

    [[nodiscard]] std::size_t size() const { return start.size(); }
};

enum class JitKind : std::uint8_t { Unknown, Compile, CacheLoad, CacheStore };

/// The driver made machine code from PTX, or handled it in its cache.
struct JitOperation {
    ProcessIndex process{};
    std::int32_t device = 0; ///< CUDA ordinal in the process, as in the next three
    JitKind kind = JitKind::Unknown;
    Interval interval;
};

/// Machine code that came into a process.
struct LoadedModule {
    ProcessIndex process{};
    std::int32_t device = 0;
    std::int32_t architecture = 0; ///< 90: for sm_90; 0: not known
    std::int64_t codeBytes = 0;
    TimeNs time{};
};

/// What the machine code of a process's kernels of one name does.
struct KernelCode {
    ProcessIndex process{};
    StringId name{};        ///< as in GpuOps
    StringId tensorTypes{}; ///< "fp16,tf32", "none", ...: share/schema.sql, TACHO_KERNEL_CODE
};

/// Memory was allocated or freed, by CUDA's calls.
struct MemoryEvent {
    ProcessIndex process{};
    std::int32_t device = 0;
    MemoryKind kind = MemoryKind::Unknown;
    bool isRelease = false;
    std::int64_t bytes = 0;
    TimeNs time{};
};

/// What the framework's allocator held of a GPU.
struct MemorySample {
    ProcessIndex process{};
    std::int32_t device = 0;
    std::int64_t allocatedBytes = 0;     ///< in tensors
    std::int64_t reservedBytes = 0;      ///< taken from CUDA
    std::int64_t peakAllocatedBytes = 0; ///< since the start, or since the training reset it
    TimeNs time{};
};

/// A training step marked by the hook or an annotation of the framework. Sorted by process, then start.
struct StepMark {
    ProcessIndex process{};
    ThreadIndex thread = kNoThread;
    std::int64_t index = 0;
    Interval interval;
    bool profiled = true; ///< false: GPU activity was not being recorded, the step ran at full speed
};

enum class CollectiveKind : std::uint8_t {
    Unknown,
    AllReduce,
    Broadcast,
    Reduce,
    AllGather,
    ReduceScatter,
    AllToAll,
    Gather,
    Scatter,
    SendReceive, ///< one message or several, between pairs of ranks
    Barrier,
};

/// Who told of a collective, most reliable first.
enum class CollectiveSource : std::uint8_t {
    Kernel,     ///< the profiler wrote it to the kernel
    Call,       ///< the framework's call, with its arguments
    Nvtx,       ///< a call of NCCL, with its payload
    Annotation, ///< a range of the framework, with the shapes of its tensors
};

/// One call of a collective by one rank, as far as something other than its kernel's name tells of it.
/// Sorted by process, then start.
struct Collective {
    ProcessIndex process{};
    ThreadIndex thread = kNoThread;
    /// The call on the host, up to the end of NCCL's group if it is in one; of CollectiveSource::Kernel the
    /// kernel's. A call that leaves the work to a stream returns before the work is done.
    Interval interval;
    CollectiveKind kind = CollectiveKind::Unknown;
    CollectiveSource source = CollectiveSource::Kernel;
    std::uint32_t correlation = 0; ///< of the kernel; 0: not known
    std::int32_t ranks = 0;        ///< in the group; 0: not known
    /// Size as nccl-tests counts it: the tensor that each rank reduces or broadcasts; of a gather or scatter
    /// and of all-to-all the whole of all ranks' parts. -1: not known.
    std::int64_t bytes = -1;
    StringId group{};   ///< communicator or process group, the same text on all of its ranks; "" not known
    StringId backend{}; ///< "nccl", "gloo", "mpi"
};

/// One counter of one GPU over time, sorted by time.
struct CounterSeries {
    DeviceIndex device{}; ///< where several processes share the GPU, that of the first
    std::string name;     ///< ends in its unit: "SM Clock [MHz]"
    std::vector<TimeNs> time;
    std::vector<double> value; ///< of the moment, or the mean since the sample before
};

/// GPU activity of a process was recorded. Sorted by process, then start.
struct RecordedWindow {
    ProcessIndex process{};
    Interval interval; ///< the end is TimeNs::max() where it was open to the end of the process
    auto operator<=>(const RecordedWindow&) const = default;
};

/// Consecutive steps of a process, all of them recorded or all at full speed. Sorted by process, then start.
struct CalibrationBlock {
    ProcessIndex process{};
    bool profiled = false;
    std::int64_t firstStep = 0, lastStep = 0; ///< StepMark::index
    Interval interval;
    /// Mean of its steps.
    [[nodiscard]] DurationNs stepLength() const { return interval.length() / (lastStep - firstStep + 1); }
};

enum class Severity : std::uint8_t { Info, Warning, DataLoss, Error };

/// An imperfection of the capture or of its reading. Every loss of data is one.
struct HealthNote {
    Severity severity = Severity::Info;
    std::string code; ///< stable, for programs: "dropped_records"
    std::int64_t count = 1;
    std::string message;
};

enum class Source : std::uint8_t { Tacho, Nsys, Kineto };
enum class StepSource : std::uint8_t { None, Optimizer, Annotation, Nvtx, Periodic };

/// Immutable once loaded; any number of threads may read it.
struct Trace {
    Source source = Source::Tacho;
    std::string formatVersion; ///< as the file states it: "nsys schema 3.25.0"
    std::vector<std::string> files;
    StringTable strings;
    std::vector<Process> processes;
    std::vector<Thread> threads;
    std::vector<Device> devices;
    std::vector<LaunchShape> launchShapes;
    GpuOps gpuOps;
    ApiCalls apiCalls;
    Ranges ranges;
    Syncs syncs;
    Overheads overheads;
    // Sorted by time. Recorded outside of windows, too.
    std::vector<JitOperation> jitOperations;
    std::vector<LoadedModule> modules;
    std::vector<MemoryEvent> memoryEvents;
    std::vector<MemorySample> memorySamples;
    std::vector<Collective> collectives;
    std::vector<KernelCode> kernelCode; ///< in no order; where the recording could read it
    std::vector<StepMark> steps;
    StepSource stepSource = StepSource::None; ///< of `steps`
    std::vector<RecordedWindow> windows;      ///< of a process without one all was recorded
    std::vector<CalibrationBlock> calibration;
    std::vector<CounterSeries> counters;
    std::vector<HealthNote> health;

    [[nodiscard]] std::string_view text(StringId id) const { return strings.text(id); }
    /// When the host issued a row of gpuOps; its start, if that is not in the file.
    [[nodiscard]] TimeNs issueTime(std::size_t gpuOp) const {
        const std::uint32_t call = gpuOps.launch[gpuOp];
        return call == kNoRow ? gpuOps.start[gpuOp] : apiCalls.start[call];
    }
};

} // namespace tacho
