// SPDX-License-Identifier: Apache-2.0
#include "collector/inject/activity_decoder.h"

#include "collector/inject/correlations.h"
#include "collector/inject/cupti_versions.h"

#include <climits>
#include <cstddef>
#include <cstdlib>
#include <cstring>

namespace tacho {

namespace {

// CUPTI counts memory kinds from unknown = 0, pageable = 1; the file from pageable = 0 to unknown = 7.
std::uint8_t memoryKind(std::uint32_t cuptiKind) noexcept {
    constexpr std::uint8_t kUnknown = 7;
    return cuptiKind == 0 || cuptiKind > kUnknown ? kUnknown : static_cast<std::uint8_t>(cuptiKind - 1);
}

// CUPTI numbers the first two kinds 0 and 1, and the others n << 16; the file counts on from 1 (unknown).
std::uint32_t overheadType(std::uint32_t cuptiKind) noexcept {
    return cuptiKind < (1U << 16) ? cuptiKind + 1 : (cuptiKind >> 16) + 2;
}

std::uint8_t device8(std::uint32_t deviceId) noexcept {
    return static_cast<std::uint8_t>(deviceId);
}

} // namespace

void ActivityDecoder::reset(SpoolFile& file, const CuptiApi& api) noexcept {
    m_file = &file;
    m_api = &api;
    m_strings.reset();
    m_shapes.reset();
    m_losses = {};
    m_hasContext = false;
}

template <typename Record>
void ActivityDecoder::write(Record& record, spool::RecordType type) noexcept {
    static_assert(sizeof(Record) % spool::kAlignment == 0);
    record.header = {static_cast<std::uint16_t>(type), sizeof(Record)};
    m_file->append(&record, sizeof record);
}

std::uint32_t ActivityDecoder::stringId(const char* text) noexcept {
    std::size_t size = text ? std::strlen(text) : 0;
    if (size > spool::kMaxText)
        size = spool::kMaxText;
    const InternTable::Entry entry = m_strings.intern(text, size);
    if (entry.isNew) {
        spool::StringRecord record{};
        record.header = {static_cast<std::uint16_t>(spool::RecordType::String),
                         static_cast<std::uint16_t>(spool::paddedBytes(sizeof record, size))};
        record.id = entry.id;
        record.textBytes = static_cast<std::uint32_t>(size);
        m_file->append(&record, sizeof record, text, size);
    }
    return entry.id;
}

bool ActivityDecoder::hasTimes(std::uint64_t start, std::uint64_t end) noexcept {
    if (start != 0 && end >= start)
        return true;
    ++m_losses.withoutTimes;
    return false;
}

// Each record is read by the newest layout, whatever version wrote it: record_layouts.cpp shows that this is
// right.
void ActivityDecoder::decode(const CUpti_Activity& record) noexcept {
    switch (record.kind) {
    case CUPTI_ACTIVITY_KIND_KERNEL:
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
        return kernel(reinterpret_cast<const CUpti_ActivityKernel10&>(record));
    case CUPTI_ACTIVITY_KIND_MEMCPY:
        return memcpy(reinterpret_cast<const CUpti_ActivityMemcpy6&>(record));
    case CUPTI_ACTIVITY_KIND_MEMCPY2:
        return peerMemcpy(reinterpret_cast<const CUpti_ActivityMemcpyPtoP4&>(record));
    case CUPTI_ACTIVITY_KIND_MEMSET:
        return memset(reinterpret_cast<const CUpti_ActivityMemset4&>(record));
    case CUPTI_ACTIVITY_KIND_SYNCHRONIZATION:
        return synchronization(reinterpret_cast<const CUpti_ActivitySynchronization2&>(record));
    case CUPTI_ACTIVITY_KIND_OVERHEAD:
        return overhead(reinterpret_cast<const CUpti_ActivityOverhead3&>(record));
    case CUPTI_ACTIVITY_KIND_GRAPH_TRACE:
        return graphTrace(reinterpret_cast<const CUpti_ActivityGraphTrace2&>(record));
    case CUPTI_ACTIVITY_KIND_JIT:
        return jit(reinterpret_cast<const CUpti_ActivityJit2&>(record));
    case CUPTI_ACTIVITY_KIND_MEMORY2:
        return memoryOperation(reinterpret_cast<const CUpti_ActivityMemory4&>(record));
    case CUPTI_ACTIVITY_KIND_CONTEXT:
        return context(reinterpret_cast<const CUpti_ActivityContext3&>(record));
    case CUPTI_ACTIVITY_KIND_STREAM:
        return stream(reinterpret_cast<const CUpti_ActivityStream&>(record));
    case CUPTI_ACTIVITY_KIND_CUDA_EVENT:
        return; // not asked for: before CUDA 12.9, CUPTI delivers them with the synchronisations
    default:
        ++m_losses.unknownKind;
    }
}

std::uint32_t ActivityDecoder::shapeId(const CUpti_ActivityKernel10& record) noexcept {
    spool::LaunchShape shape{};
    shape.name = stringId(record.name);
    shape.gridX = record.gridX;
    shape.gridY = record.gridY;
    shape.gridZ = record.gridZ;
    shape.blockX = record.blockX;
    shape.blockY = record.blockY;
    shape.blockZ = record.blockZ;
    shape.staticSharedMemoryBytes = record.staticSharedMemory;
    shape.dynamicSharedMemoryBytes = record.dynamicSharedMemory;
    shape.sharedMemoryExecutedBytes = record.sharedMemoryExecuted;
    shape.localMemoryPerThreadBytes = record.localMemoryPerThread;
    shape.localMemoryTotalKiB = static_cast<std::uint32_t>(record.localMemoryTotal_v2 / 1024);
    shape.clusterX = record.clusterX;
    shape.clusterY = record.clusterY;
    shape.clusterZ = record.clusterZ;
    shape.registersPerThread = record.registersPerThread;
    shape.cacheConfig = record.cacheConfig.both;
    shape.launchType =
        static_cast<std::uint8_t>(record.launchType + 1); // CUPTI 0 regular; the file 1 regular
    const InternTable::Entry entry = m_shapes.intern(&shape, sizeof shape);
    if (entry.isNew) {
        shape.id = entry.id;
        write(shape, spool::RecordType::LaunchShape);
    }
    return entry.id;
}

void ActivityDecoder::kernel(const CUpti_ActivityKernel10& record) noexcept {
    if (!hasTimes(record.start, record.end))
        return;
    spool::Kernel kernel{};
    kernel.correlationId = correlations().unique(record.correlationId);
    kernel.startNs = record.start;
    kernel.endNs = record.end;
    kernel.shape = shapeId(record);
    kernel.contextId = record.contextId;
    kernel.streamId = record.streamId;
    kernel.deviceId = record.deviceId;
    kernel.graphNodeId = record.graphNodeId;
    kernel.graphId = record.graphId;
    kernel.gridId = static_cast<std::uint32_t>(record.gridId);
    write(kernel, spool::RecordType::Kernel);
}

void ActivityDecoder::memcpy(const CUpti_ActivityMemcpy6& record) noexcept {
    copy(record, record.deviceId, record.deviceId);
}

void ActivityDecoder::peerMemcpy(const CUpti_ActivityMemcpyPtoP4& record) noexcept {
    copy(record, record.srcDeviceId, record.dstDeviceId);
}

template <typename Record>
void ActivityDecoder::copy(const Record& record, std::uint32_t srcDeviceId,
                           std::uint32_t dstDeviceId) noexcept {
    if (!hasTimes(record.start, record.end))
        return;
    spool::Memcpy copy{};
    copy.correlationId = correlations().unique(record.correlationId);
    copy.startNs = record.start;
    copy.endNs = record.end;
    copy.sizeBytes = record.bytes;
    copy.contextId = record.contextId;
    copy.streamId = record.streamId;
    copy.deviceId = device8(record.deviceId);
    copy.srcDeviceId = device8(srcDeviceId);
    copy.dstDeviceId = device8(dstDeviceId);
    copy.copyKind = record.copyKind;
    copy.srcKind = memoryKind(record.srcKind);
    copy.dstKind = memoryKind(record.dstKind);
    copy.graphNodeId = record.graphNodeId;
    write(copy, spool::RecordType::Memcpy);
}

void ActivityDecoder::memset(const CUpti_ActivityMemset4& record) noexcept {
    if (!hasTimes(record.start, record.end))
        return;
    spool::Memset set{};
    set.correlationId = correlations().unique(record.correlationId);
    set.startNs = record.start;
    set.endNs = record.end;
    set.sizeBytes = record.bytes;
    set.value = record.value;
    set.contextId = record.contextId;
    set.streamId = record.streamId;
    set.deviceId = static_cast<std::uint16_t>(record.deviceId);
    set.memoryKind = memoryKind(record.memoryKind);
    set.graphNodeId = record.graphNodeId;
    write(set, spool::RecordType::Memset);
}

void ActivityDecoder::synchronization(const CUpti_ActivitySynchronization2& record) noexcept {
    spool::Synchronization sync{};
    sync.correlationId = correlations().unique(record.correlationId);
    sync.startNs = record.start;
    sync.endNs = record.end;
    sync.contextId = record.contextId;
    sync.streamId = record.streamId;
    sync.eventId = record.cudaEventId;
    sync.syncType = static_cast<std::uint16_t>(record.type);
    if (m_api->version >= cupti_version::kCuda128)
        sync.eventSyncId = record.cudaEventSyncId;
    write(sync, spool::RecordType::Synchronization);
}

void ActivityDecoder::overhead(const CUpti_ActivityOverhead3& record) noexcept {
    spool::Overhead overhead{};
    overhead.overheadType = overheadType(record.overheadKind);
    overhead.startNs = record.start;
    overhead.endNs = record.end;
    if (record.objectKind == CUPTI_ACTIVITY_OBJECT_THREAD)
        overhead.threadId = record.objectId.pt.threadId;
    if (m_api->version >= cupti_version::kCuda124) {
        overhead.correlationId = correlations().unique(record.correlationId);
        std::free(record.overheadData); // CUPTI leaves it to the reader
    }
    write(overhead, spool::RecordType::Overhead);
}

void ActivityDecoder::graphTrace(const CUpti_ActivityGraphTrace2& record) noexcept {
    if (!hasTimes(record.start, record.end))
        return;
    const bool startsOnHost = record.deviceId == INT_MAX;
    spool::GraphTrace graph{};
    graph.correlationId = correlations().unique(record.correlationId);
    graph.startNs = record.start;
    graph.endNs = record.end;
    graph.contextId = record.contextId;
    graph.streamId = record.streamId;
    graph.deviceId = record.deviceId;
    if (startsOnHost && m_api->version >= cupti_version::kCuda123) {
        graph.deviceId = record.endDeviceId;
        graph.contextId = record.endContextId;
    }
    graph.graphId = record.graphId;
    write(graph, spool::RecordType::GraphTrace);
}

void ActivityDecoder::jit(const CUpti_ActivityJit2& record) noexcept {
    if (!hasTimes(record.start, record.end))
        return;
    spool::Jit jit{};
    jit.correlationId = correlations().unique(record.correlationId);
    jit.startNs = record.start;
    jit.endNs = record.end;
    jit.operationId = record.jitOperationCorrelationId;
    jit.deviceId = record.deviceId;
    jit.entry = static_cast<std::uint16_t>(record.jitEntryType);
    jit.operation = static_cast<std::uint16_t>(record.jitOperationType);
    write(jit, spool::RecordType::Jit);
}

void ActivityDecoder::memoryOperation(const CUpti_ActivityMemory4& record) noexcept {
    spool::MemoryOperation operation{};
    operation.correlationId = correlations().unique(record.correlationId);
    operation.timeNs = record.timestamp;
    operation.address = record.address;
    operation.sizeBytes = record.bytes;
    operation.contextId = record.contextId;
    operation.streamId = record.streamId;
    operation.deviceId = record.deviceId;
    operation.memoryKind = memoryKind(record.memoryKind);
    operation.operation = record.memoryOperationType == CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_RELEASE ? 1 : 0;
    write(operation, spool::RecordType::MemoryOperation);
}

void ActivityDecoder::context(const CUpti_ActivityContext3& record) noexcept {
    spool::Context context{};
    context.contextId = record.contextId;
    context.deviceId = record.deviceId;
    context.nullStreamId = record.nullStreamId;
    m_hasContext = true;
    write(context, spool::RecordType::Context);
}

void ActivityDecoder::stream(const CUpti_ActivityStream& record) noexcept {
    spool::Stream stream{};
    stream.streamId = record.streamId;
    stream.contextId = record.contextId;
    stream.priority = static_cast<std::int32_t>(record.priority);
    stream.flag = record.flag;
    write(stream, spool::RecordType::Stream);
}

} // namespace tacho
