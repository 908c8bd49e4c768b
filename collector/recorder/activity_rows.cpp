// SPDX-License-Identifier: Apache-2.0
#include "collector/recorder/activity_rows.h"

#include "analyzer/sqlite/kernel_names.h"

#include <optional>
#include <string_view>

namespace tacho {

namespace {

constexpr const char* kUnknown = "(unknown)";
constexpr std::uint8_t kPeerToPeer = 10; // ENUM_CUDA_MEMCPY_OPER

/// `names` are those of the numbers from 1 on; others have none.
template <std::size_t count>
std::optional<std::string_view> nameOf(std::uint16_t number, const std::string_view (&names)[count]) {
    return number >= 1 && number <= count ? std::optional(names[number - 1]) : std::nullopt;
}

} // namespace

ActivityRows::ActivityRows(TraceRows& rows, std::int32_t pid)
    : m_rows(&rows), m_pid(pid),
      m_globalPid(globalThreadId(pid)), m_unknownText{kUnknown, 0}, m_unknownShape{} {}

void ActivityRows::addString(std::uint32_t id, std::string_view text) {
    m_texts.insert_or_assign(id, Text{std::string(text), m_rows->strings.intern(text)});
}

const ActivityRows::Text& ActivityRows::text(std::uint32_t id) {
    if (const auto known = m_texts.find(id); known != m_texts.end())
        return known->second;
    ++m_unresolved;
    m_unknownText.id = m_rows->strings.intern(kUnknown);
    return m_unknownText;
}

std::int64_t ActivityRows::stringId(std::uint32_t id) {
    return text(id).id;
}

ActivityRows::Shape ActivityRows::named(const spool::LaunchShape& launch, const std::string& mangled) {
    const std::string demangled = demangledName(mangled);
    StringIds& strings = m_rows->strings;
    return {launch, strings.intern(demangled), strings.intern(shortName(demangled)), strings.intern(mangled)};
}

const ActivityRows::Shape& ActivityRows::shape(std::uint32_t id) {
    if (const auto known = m_shapes.find(id); known != m_shapes.end())
        return known->second;
    ++m_unresolved;
    m_unknownShape = named({}, kUnknown);
    return m_unknownShape;
}

bool ActivityRows::hasTimes(std::uint64_t startNs, std::uint64_t endNs) {
    const bool known = startNs != 0 && startNs <= endNs; // CUPTI's doc: both 0 when it could not collect them
    m_untimed += known ? 0 : 1;
    return known;
}

void ActivityRows::add(const spool::LaunchShape& shape) {
    const std::string& mangled = text(shape.name).text;
    const Shape& known = m_shapes.insert_or_assign(shape.id, named(shape, mangled)).first->second;
    m_kernelCode.addKernel(mangled, known.demangledName);
}

void ActivityRows::add(const spool::Kernel& kernel) {
    if (!hasTimes(kernel.startNs, kernel.endNs))
        return;
    const Shape& of = shape(kernel.shape);
    const spool::LaunchShape& launch = of.launch;
    m_rows->tables.kernel.row(
        kernel.startNs, kernel.endNs, kernel.deviceId, kernel.contextId, kernel.streamId,
        kernel.correlationId, m_globalPid, nullIfZero(kernel.graphNodeId), nullIfZero(kernel.graphId),
        kernel.gridId, of.demangledName, of.shortName, of.mangledName, launch.launchType, launch.cacheConfig,
        launch.registersPerThread, launch.gridX, launch.gridY, launch.gridZ, launch.blockX, launch.blockY,
        launch.blockZ, launch.staticSharedMemoryBytes, launch.dynamicSharedMemoryBytes,
        launch.localMemoryPerThreadBytes, std::int64_t{launch.localMemoryTotalKiB} * 1024,
        launch.sharedMemoryExecutedBytes, nullIfZero(launch.clusterX), nullIfZero(launch.clusterY),
        nullIfZero(launch.clusterZ));
    ++m_gpuRecords;
}

void ActivityRows::add(const spool::Memcpy& copy) {
    if (!hasTimes(copy.startNs, copy.endNs))
        return;
    const bool isPeer = copy.copyKind == kPeerToPeer;
    m_rows->tables.memcpy.row(copy.startNs, copy.endNs, copy.deviceId, copy.contextId, copy.streamId,
                              copy.correlationId, m_globalPid, copy.sizeBytes, copy.copyKind, copy.srcKind,
                              copy.dstKind, isPeer ? std::optional(copy.srcDeviceId) : std::nullopt,
                              isPeer ? std::optional(copy.dstDeviceId) : std::nullopt,
                              nullIfZero(copy.graphNodeId));
    ++m_gpuRecords;
}

void ActivityRows::add(const spool::Memset& set) {
    if (!hasTimes(set.startNs, set.endNs))
        return;
    m_rows->tables.memset.row(set.startNs, set.endNs, set.deviceId, set.contextId, set.streamId,
                              set.correlationId, m_globalPid, set.value, set.sizeBytes,
                              nullIfZero(set.graphNodeId), set.memoryKind);
    ++m_gpuRecords;
}

void ActivityRows::add(const spool::ApiCall& call) {
    if (hasTimes(call.startNs, call.endNs))
        m_rows->tables.apiCall.row(call.startNs, call.endNs, call.apiClass,
                                   globalThreadId(m_pid, call.threadId), call.correlationId,
                                   stringId(call.name), call.returnValue);
}

void ActivityRows::add(const spool::Synchronization& synchronization) {
    const spool::Synchronization& it = synchronization;
    if (hasTimes(it.startNs, it.endNs))
        m_rows->tables.synchronization.row(it.startNs, it.endNs, it.deviceId, it.contextId, it.streamId,
                                           it.correlationId, m_globalPid, it.syncType, it.eventId,
                                           nullIfZero(it.eventSyncId));
}

void ActivityRows::add(const spool::CudaEvent& event) {
    m_rows->tables.cudaEvent.row(nullIfZero(event.timeNs), event.deviceId, event.contextId, event.streamId,
                                 event.correlationId, m_globalPid, event.eventId,
                                 nullIfZero(event.eventSyncId));
}

void ActivityRows::add(const spool::Overhead& overhead) {
    constexpr int kEventClass = 0; // of no API
    if (hasTimes(overhead.startNs, overhead.endNs))
        m_rows->tables.overhead.row(overhead.startNs, overhead.endNs, kEventClass,
                                    globalThreadId(m_pid, overhead.threadId),
                                    nullIfZero(overhead.correlationId), overhead.overheadType);
}

void ActivityRows::add(const spool::GraphTrace& graph) {
    if (!hasTimes(graph.startNs, graph.endNs))
        return;
    m_rows->tables.graphTrace.row(graph.startNs, graph.endNs, graph.deviceId, graph.contextId, graph.streamId,
                                  graph.correlationId, m_globalPid, graph.graphId);
    ++m_gpuRecords;
}

void ActivityRows::add(const spool::MemoryOperation& operation) {
    m_rows->tables.memoryOperation.row(operation.timeNs, m_globalPid, operation.deviceId, operation.contextId,
                                       operation.address, operation.sizeBytes, operation.memoryKind,
                                       operation.operation, nullIfZero(operation.correlationId),
                                       operation.streamId);
}

void ActivityRows::add(const spool::Jit& jit) {
    constexpr std::string_view kEntries[] = {"ptx_to_cubin", "nvvm_to_ptx"};
    constexpr std::string_view kOperations[] = {"cache_load", "cache_store", "compile"};
    if (hasTimes(jit.startNs, jit.endNs))
        m_rows->tables.jit.row(m_globalPid, jit.deviceId, jit.startNs, jit.endNs,
                               nullIfZero(jit.correlationId), nameOf(jit.entry, kEntries),
                               nameOf(jit.operation, kOperations), nullIfZero(jit.operationId));
}

void ActivityRows::add(const spool::Module& module) {
    m_rows->tables.module.row(m_globalPid, globalThreadId(m_pid, module.threadId), module.timeNs,
                              module.moduleId, module.deviceId, module.codeBytes,
                              nullIfZero(module.architecture));
}

void ActivityRows::addFunctions(std::uint32_t moduleId, std::span<const spool::FunctionCode> functions) {
    m_kernelCode.addFunctions(moduleId, functions);
}

void ActivityRows::finish() {
    m_kernelCode.write(m_rows->tables, m_globalPid);
}

void ActivityRows::add(const spool::FrameworkMemory& memory) {
    m_rows->tables.frameworkMemory.row(m_globalPid, memory.deviceId, memory.timeNs, memory.allocatedBytes,
                                       memory.reservedBytes, memory.peakAllocatedBytes);
}

void ActivityRows::add(const spool::Device& device) {
    const auto textOf = [&](std::uint32_t id) { return id == 0 ? std::string() : text(id).text; };
    m_rows->gpus.add({device, textOf(device.name), textOf(device.uuid), textOf(device.busLocation)}, m_pid);
}

void ActivityRows::add(const spool::Context& context) {
    m_rows->tables.context.row(context.nullStreamId, 0, 0, m_pid, context.deviceId, context.contextId);
    m_rows->gpus.use(m_pid, context.deviceId);
}

void ActivityRows::add(const spool::Stream& stream) {
    m_rows->tables.stream.row(stream.streamId, 0, 0, m_pid, stream.contextId, stream.priority, stream.flag);
}

} // namespace tacho
