// SPDX-License-Identifier: Apache-2.0
// The spool: what the injected library appends and the recorder reads. docs/FORMAT.md tells the story.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

/// One spool file per process image, written by that process only, by plain appends.
///
/// A file is a FileHeader followed by records. Each record starts with a RecordHeader whose `bytes` counts
/// the whole record, header included, and is a multiple of 8. A reader stops at the first record that is not
/// yet complete: the writer may be in the middle of it, or was killed there. Records are in no particular
/// order, except that a String, LaunchShape, or Domain record comes before the first record that refers to
/// it.
///
/// All times are nanoseconds of CLOCK_MONOTONIC. All numbers are in the machine's byte order: spool files
/// never leave the machine. Ids are per spool file.
namespace tacho::spool {

inline constexpr char kMagic[8] = {'T', 'A', 'C', 'H', 'O', 'S', 'P', 'L'};
inline constexpr std::uint32_t kVersion = 2;
inline constexpr std::size_t kAlignment = 8;

/// Longest text kept in a record; longer texts are cut there and counted (health code "text_cut").
inline constexpr std::size_t kMaxText = 4096;

/// X.spool + this: an empty file that says that X.spool could not be written to its end (disk full).
inline constexpr char kFailedSuffix[] = ".failed";

/// Environment variables by which the recorder tells the library what to do.
inline constexpr char kDirectoryVariable[] = "TACHO_SPOOL_DIR"; ///< absent: the library does nothing
inline constexpr char kMaxBytesVariable[] = "TACHO_MAX_BYTES";  ///< of one spool file; absent: kMostBytes
inline constexpr char kCuptiVariable[] = "TACHO_CUPTI";         ///< the CUPTI library; absent: it is searched
inline constexpr char kWindowVariable[] = "TACHO_WINDOW";       ///< see Window in window.h
inline constexpr char kDetailVariable[] = "TACHO_DETAIL";       ///< kDetailKernels; else API calls too
inline constexpr char kDetailKernels[] = "kernels";

inline constexpr char kCudaGraphVariable[] = "TACHO_CUDA_GRAPH"; ///< "graph": one record per graph launch

/// File in the spool directory by which running processes are told to record or not: see ControlFile.
inline constexpr char kControlFile[] = "control";
inline constexpr char kControlStart[] = "start";
inline constexpr char kControlStop[] = "stop";

/// A process stops recording when its spool file has this size, unless it was told another one.
inline constexpr std::uint64_t kMostBytes = 2'000'000'000;

struct FileHeader {
    char magic[8];
    std::uint32_t version;
    std::uint32_t headerBytes; ///< offset of the first record
    std::int32_t pid;
    std::int32_t parentPid;
    std::uint64_t startNs;    ///< CLOCK_MONOTONIC when the file was made
    std::uint64_t startUtcNs; ///< CLOCK_REALTIME at the same moment
};

// Values are stored in files: never change one, only add.
enum class RecordType : std::uint16_t {
    String = 1, ///< StringRecord + text
    LaunchShape = 2,
    Kernel = 3,
    Memcpy = 4,
    Memset = 5,
    ApiCall = 6,
    Synchronization = 7,
    Overhead = 8,
    Device = 9,
    Context = 10,
    Stream = 11,
    NvtxEvent = 12,   ///< NvtxEvent + text
    NvtxPayload = 13, ///< NvtxPayload + bytes
    NvtxDomain = 14,  ///< StringRecord + name; id is the domain id of NvtxEvent
    NvtxCategory = 15,
    ThreadName = 16, ///< StringRecord + name; id is the thread id
    StepEnd = 17,
    Fact = 18,   ///< FactRecord + name + value
    Health = 19, ///< HealthRecord + message
    Window = 20,
    End = 21, ///< the process ended in order; nothing follows
    CudaEvent = 22,
    GraphTrace = 23,
    Jit = 24,
    Module = 25,
    MemoryOperation = 26,
    FrameworkMemory = 27,
    FullSpeed = 28,
    ModuleCode = 29,   ///< ModuleCode + FunctionCode[]
    CounterValue = 40, ///< only in the spool files of the recorder's own samplers
};

struct RecordHeader {
    std::uint16_t type;
    std::uint16_t bytes;
};

/// Names a text. `id` 0 is never used.
struct StringRecord {
    RecordHeader header;
    std::uint32_t id;
    std::uint32_t textBytes; ///< the text follows, without a terminating zero
    std::uint32_t reserved;
};

/// What kernels of one launch configuration have in common, so that a Kernel record can be small.
struct LaunchShape {
    RecordHeader header;
    std::uint32_t id;
    std::uint32_t name; ///< String id of the mangled name
    std::int32_t gridX, gridY, gridZ;
    std::int32_t blockX, blockY, blockZ;
    std::int32_t staticSharedMemoryBytes, dynamicSharedMemoryBytes;
    std::uint32_t sharedMemoryExecutedBytes;
    std::uint32_t localMemoryPerThreadBytes;
    std::uint32_t localMemoryTotalKiB;
    std::uint32_t clusterX, clusterY, clusterZ; ///< 0: not a cluster launch, or not known to this CUPTI
    std::uint16_t registersPerThread;
    std::uint8_t cacheConfig;
    std::uint8_t launchType; ///< CUpti_ActivityLaunchType
};

struct Kernel {
    RecordHeader header;
    std::uint32_t correlationId;
    std::uint64_t startNs, endNs;
    std::uint32_t shape; ///< LaunchShape id
    std::uint32_t contextId;
    std::uint32_t streamId;
    std::uint32_t deviceId;
    std::uint64_t graphNodeId; ///< 0: not in a graph
    std::uint32_t graphId;
    std::uint32_t gridId; ///< low half of CUPTI's grid id
};

struct Memcpy {
    RecordHeader header;
    std::uint32_t correlationId;
    std::uint64_t startNs, endNs;
    std::uint64_t sizeBytes;
    std::uint32_t contextId;
    std::uint32_t streamId;
    std::uint8_t deviceId;
    std::uint8_t copyKind;                 ///< CUpti_ActivityMemcpyKind, as ENUM_CUDA_MEMCPY_OPER
    std::uint8_t srcKind;                  ///< ENUM_CUDA_MEM_KIND
    std::uint8_t dstKind;                  ///< ENUM_CUDA_MEM_KIND
    std::uint8_t srcDeviceId, dstDeviceId; ///< differ from deviceId in peer copies only
    std::uint16_t reserved;
    std::uint64_t graphNodeId; ///< 0: not in a graph
};

struct Memset {
    RecordHeader header;
    std::uint32_t correlationId;
    std::uint64_t startNs, endNs;
    std::uint64_t sizeBytes;
    std::uint32_t value;
    std::uint32_t contextId;
    std::uint32_t streamId;
    std::uint16_t deviceId;
    std::uint16_t memoryKind; ///< ENUM_CUDA_MEM_KIND
    std::uint64_t graphNodeId;
};

struct ApiCall {
    RecordHeader header;
    std::uint32_t correlationId;
    std::uint64_t startNs, endNs;
    std::uint32_t threadId;
    std::uint32_t name; ///< String id of the function's name with its version suffix
    std::int32_t returnValue;
    std::uint32_t apiClass; ///< 0 runtime, 1 driver, as ENUM_NSYS_EVENT_CLASS
};

struct Synchronization {
    RecordHeader header;
    std::uint32_t correlationId;
    std::uint64_t startNs, endNs;
    std::uint32_t contextId;
    std::uint32_t streamId;
    std::uint32_t eventId;
    std::uint16_t deviceId;
    std::uint16_t syncType; ///< ENUM_CUPTI_SYNC_TYPE
    std::uint64_t eventSyncId;
};

struct CudaEvent {
    RecordHeader header;
    std::uint32_t correlationId;
    std::uint64_t timeNs; ///< 0: CUPTI did not say when
    std::uint64_t eventSyncId;
    std::uint32_t contextId;
    std::uint32_t streamId;
    std::uint32_t eventId;
    std::uint32_t deviceId;
};

struct Overhead {
    RecordHeader header;
    std::uint32_t overheadType; ///< ENUM_CUPTI_OVERHEAD_TYPE
    std::uint64_t startNs, endNs;
    std::uint32_t threadId; ///< 0: not of one thread
    std::uint32_t correlationId;
};

/// A whole launch of a CUDA graph, recorded as one. Recorded outside of windows, too.
struct GraphTrace {
    RecordHeader header;
    std::uint32_t correlationId;
    std::uint64_t startNs, endNs;
    std::uint32_t contextId;
    std::uint32_t streamId;
    std::uint32_t deviceId;
    std::uint32_t graphId;
};

/// The driver compiled GPU code, or found it in its cache, or put it there.
struct Jit {
    RecordHeader header;
    std::uint32_t correlationId; ///< of the call that needed the code
    std::uint64_t startNs, endNs;
    std::uint64_t operationId; ///< shared by the compilation, the look-up and the storing of one unit
    std::uint32_t deviceId;
    std::uint16_t entry;     ///< CUpti_ActivityJitEntryType
    std::uint16_t operation; ///< CUpti_ActivityJitOperationType
};

/// Machine code came into the process.
struct Module {
    RecordHeader header;
    std::uint32_t threadId;
    std::uint64_t timeNs; ///< when it was there
    std::uint64_t codeBytes;
    std::uint32_t moduleId;
    std::uint32_t deviceId;
    std::uint32_t architecture; ///< 90 for sm_90; 0: not known
    std::uint32_t reserved;
};

// What the instructions of a function do: bits of FunctionCode::uses. Stored in files: never change one, only
// add. All but the first two are the element types of tensor-core instructions.
enum CodeUse : std::uint32_t {
    NoTensor = 1U << 0,    ///< it has no tensor-core instruction
    CallsOut = 1U << 1,    ///< it has none itself, and calls functions that lie elsewhere
    OtherTensor = 1U << 2, ///< of a type that the instruction does not tell, or that has no bit of its own
    TensorFp64 = 1U << 3,
    TensorTf32 = 1U << 4,
    TensorFp16 = 1U << 5,
    TensorBf16 = 1U << 6,
    TensorFp8 = 1U << 7, ///< FP6 and FP4 too, where one instruction serves them all
    TensorFp4 = 1U << 8,
    TensorInt8 = 1U << 9, ///< INT4 too
};

/// A function (a kernel, or what kernels call) of a module's machine code.
struct FunctionCode {
    std::uint64_t nameHash; ///< functionNameHash() of the mangled name
    std::uint32_t uses;     ///< CodeUse bits
    std::uint32_t reserved;
};

/// Functions of one module; a module with many has several records.
struct ModuleCode {
    RecordHeader header;
    std::uint32_t moduleId;  ///< Module::moduleId
    std::uint32_t functions; ///< as many FunctionCode follow
    std::uint32_t reserved;
};

/// FNV-1a of a name, cut as texts in records are.
constexpr std::uint64_t functionNameHash(const char* name, std::size_t bytes) {
    std::uint64_t hash = 0xcbf29ce484222325;
    for (std::size_t i = 0; i < bytes && i < kMaxText; ++i)
        hash = (hash ^ static_cast<unsigned char>(name[i])) * 0x100000001b3;
    return hash;
}

/// Memory of a GPU, or of the host for use by GPUs, was allocated or freed.
struct MemoryOperation {
    RecordHeader header;
    std::uint32_t correlationId;
    std::uint64_t timeNs;
    std::uint64_t address;
    std::uint64_t sizeBytes;
    std::uint32_t contextId;
    std::uint32_t streamId;
    std::uint32_t deviceId;
    std::uint16_t memoryKind; ///< ENUM_CUDA_MEM_KIND
    std::uint16_t operation;  ///< ENUM_CUDA_DEV_MEM_EVENT_OPER
};

/// What the framework's own allocator holds of a GPU, as the hook saw it.
struct FrameworkMemory {
    RecordHeader header;
    std::uint32_t deviceId;
    std::uint64_t timeNs;
    std::uint64_t allocatedBytes;     ///< in tensors
    std::uint64_t reservedBytes;      ///< taken from CUDA
    std::uint64_t peakAllocatedBytes; ///< since the start, or since the training reset it
};

/// Properties of a GPU, with its name and UUID as texts. Unknown numbers are 0.
struct Device {
    RecordHeader header;
    std::uint32_t deviceId;    ///< CUDA ordinal in this process
    std::uint32_t name;        ///< String id
    std::uint32_t uuid;        ///< String id, "GPU-xxxxxxxx-..."
    std::uint32_t busLocation; ///< String id, "0000:3b:00.0"
    std::uint32_t smCount;
    std::uint64_t totalMemoryBytes;
    std::uint64_t memoryBandwidthBytesPerSecond;
    std::uint64_t l2CacheBytes;
    std::uint32_t clockRateKHz;
    std::uint32_t computeMajor, computeMinor;
    std::uint32_t maxWarpsPerSm, maxBlocksPerSm, maxThreadsPerBlock;
    std::uint32_t registersPerSm, registersPerBlock;
    std::uint32_t sharedMemoryPerSmBytes, sharedMemoryPerBlockBytes, sharedMemoryPerBlockOptinBytes;
    std::uint32_t asyncEngines;
    std::uint32_t reserved;
};

struct Context {
    RecordHeader header;
    std::uint32_t contextId;
    std::uint32_t deviceId;
    std::uint32_t nullStreamId;
};

struct Stream {
    RecordHeader header;
    std::uint32_t streamId;
    std::uint32_t contextId;
    std::int32_t priority;
    std::uint32_t flag; ///< ENUM_CUPTI_STREAM_TYPE
    std::uint32_t reserved;
};

// Stored in files: never change one, only add.
enum class NvtxAction : std::uint16_t { Push = 1, Pop = 2, Start = 3, End = 4, Mark = 5 };

/// One NVTX call. The recorder pairs Push with Pop per thread and domain, and Start with End by rangeId.
struct NvtxEvent {
    RecordHeader header;
    std::uint32_t threadId;
    std::uint64_t timeNs;
    std::uint64_t rangeId; ///< of Start and End
    std::uint64_t payload; ///< value, by payloadType
    std::uint32_t domain;  ///< NvtxDomain id; 0 the default domain
    std::uint32_t category;
    std::uint32_t color;       ///< ARGB
    std::uint32_t registered;  ///< String id of a registered string; 0: the text follows
    std::uint16_t action;      ///< NvtxAction
    std::uint16_t payloadType; ///< nvtxPayloadType_t; 0 none
    std::uint16_t textBytes;
    std::uint16_t hasColor;
};

/// Binary payload of the NvtxEvent that this thread wrote immediately before.
struct NvtxPayload {
    RecordHeader header;
    std::uint32_t threadId;
    std::uint64_t schemaId;
    std::uint32_t payloadBytes; ///< the bytes follow
    std::uint32_t domain;
};

struct NvtxCategory {
    RecordHeader header;
    std::uint32_t domain;
    std::uint32_t category;
    std::uint32_t textBytes; ///< the name follows
};

/// The hook saw a training step end. A step lasts from the end of the one before to this moment.
struct StepEnd {
    RecordHeader header;
    std::uint32_t threadId;
    std::uint64_t timeNs;
    std::uint64_t index; ///< 0 for the first step of the process
};

/// Something the hook knows about the training, as name and value texts.
struct Fact {
    RecordHeader header;
    std::uint16_t nameBytes;
    std::uint16_t valueBytes; ///< the value follows the name
};

// Stored in files: never change one, only add.
enum class Severity : std::uint32_t { Info = 0, Warning = 1, DataLoss = 2, Error = 3 };

struct Health {
    RecordHeader header;
    std::uint32_t severity;
    std::uint64_t count;
    std::uint16_t codeBytes;
    std::uint16_t messageBytes; ///< the message follows the code
    std::uint32_t reserved;
};

/// Recording of GPU activity went on or off. A window that never opened leaves no record.
struct Window {
    RecordHeader header;
    std::uint16_t isOpen; ///< 1 opened, 0 closed
    std::uint16_t isLast; ///< 1: and it will not open again of itself
    std::uint64_t timeNs;
};

/// CUPTI was not in the way of the process: before the first window opened, or after it had left.
struct FullSpeed {
    RecordHeader header;
    std::uint32_t reserved;
    std::uint64_t startNs, endNs;
};

/// What a GPU was doing at a moment, or on average since the value before.
struct CounterValue {
    RecordHeader header;
    std::uint32_t gpu;     ///< String id of its UUID
    std::uint32_t counter; ///< String id of the counter's name, which ends in its unit: "SM Clock [MHz]"
    std::uint32_t reserved;
    std::uint64_t timeNs;
    double value;
};

struct End {
    RecordHeader header;
    std::uint32_t reserved;
    std::uint64_t timeNs;
};

// What a storm of launches or copies costs on disk: at most 60 bytes a record.
static_assert(sizeof(Kernel) <= 60 && sizeof(Memcpy) <= 60 && sizeof(Memset) <= 60 && sizeof(ApiCall) <= 60);
static_assert(std::is_trivially_copyable_v<Device> && std::is_trivially_copyable_v<NvtxEvent>);

/// Size of a record with `textBytes` of trailing bytes, padded as the format asks.
constexpr std::size_t paddedBytes(std::size_t fixed, std::size_t textBytes = 0) {
    return (fixed + textBytes + kAlignment - 1) / kAlignment * kAlignment;
}

} // namespace tacho::spool
