// SPDX-License-Identifier: Apache-2.0
#include "collector/inject/activity_decoder.h"
#include "tests/unit/inject/spool_contents.h"

#include <climits>
#include <cstdlib>
#include <gtest/gtest.h>
#include <memory>

namespace tacho {

namespace {

CUptiResult nameOfCall(CUpti_CallbackDomain domain, std::uint32_t id, const char** name) {
    *name = domain == CUPTI_CB_DOMAIN_RUNTIME_API ? "cudaLaunchKernel_v7000" : "cuLaunchKernel";
    return id < 1000 ? CUPTI_SUCCESS : CUPTI_ERROR_INVALID_PARAMETER;
}

class ActivityDecoderTest : public testing::Test {
  protected:
    void SetUp() override {
        m_api.version = CUPTI_API_VERSION;
        m_api.getCallbackName = nameOfCall;
        ASSERT_TRUE(m_file->create(m_directory.path()));
        m_decoder->reset(*m_file, m_api);
    }
    template <typename Record>
    void decode(const Record& record) {
        m_decoder->decode(reinterpret_cast<const CUpti_Activity&>(record));
    }
    SpoolContents written() {
        m_file->flush();
        return SpoolContents(m_directory.onlyFile());
    }
    static CUpti_ActivityKernel10 someKernel() {
        CUpti_ActivityKernel10 kernel{};
        kernel.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
        kernel.name = "_Z4gemmPf";
        kernel.start = 1000;
        kernel.end = 1500;
        kernel.deviceId = 1;
        kernel.contextId = 2;
        kernel.streamId = 7;
        kernel.correlationId = 42;
        kernel.gridX = 10;
        kernel.gridY = 2;
        kernel.gridZ = 1;
        kernel.blockX = 256;
        kernel.blockY = 1;
        kernel.blockZ = 1;
        kernel.registersPerThread = 64;
        kernel.staticSharedMemory = 100;
        kernel.dynamicSharedMemory = 200;
        kernel.graphNodeId = 5;
        kernel.graphId = 6;
        kernel.clusterX = 2;
        return kernel;
    }

    SpoolDirectory m_directory;
    CuptiApi m_api;
    std::unique_ptr<SpoolFile> m_file = std::make_unique<SpoolFile>();
    std::unique_ptr<ActivityDecoder> m_decoder = std::make_unique<ActivityDecoder>();
};

} // namespace

TEST_F(ActivityDecoderTest, WritesAKernelWithItsShapeAndName) {
    decode(someKernel());
    const SpoolContents contents = written();
    const auto kernels = contents.all<spool::Kernel>(spool::RecordType::Kernel);
    const auto shapes = contents.all<spool::LaunchShape>(spool::RecordType::LaunchShape);
    ASSERT_EQ(kernels.size(), 1U);
    ASSERT_EQ(shapes.size(), 1U);
    EXPECT_EQ(kernels[0].startNs, 1000U);
    EXPECT_EQ(kernels[0].endNs, 1500U);
    EXPECT_EQ(kernels[0].correlationId, 42U);
    EXPECT_EQ(kernels[0].deviceId, 1U);
    EXPECT_EQ(kernels[0].contextId, 2U);
    EXPECT_EQ(kernels[0].streamId, 7U);
    EXPECT_EQ(kernels[0].graphNodeId, 5U);
    EXPECT_EQ(kernels[0].graphId, 6U);
    EXPECT_EQ(kernels[0].shape, shapes[0].id);
    EXPECT_EQ(contents.strings.at(shapes[0].name), "_Z4gemmPf");
    EXPECT_EQ(shapes[0].gridX, 10);
    EXPECT_EQ(shapes[0].blockX, 256);
    EXPECT_EQ(shapes[0].registersPerThread, 64);
    EXPECT_EQ(shapes[0].staticSharedMemoryBytes, 100);
    EXPECT_EQ(shapes[0].dynamicSharedMemoryBytes, 200);
    EXPECT_EQ(shapes[0].clusterX, 2U);
    EXPECT_EQ(shapes[0].launchType, 1); // regular
}

TEST_F(ActivityDecoderTest, DefinesAShapeOnceAndAnotherOneForAnotherGrid) {
    decode(someKernel());
    decode(someKernel());
    CUpti_ActivityKernel10 wider = someKernel();
    wider.gridX = 11;
    decode(wider);
    const SpoolContents contents = written();
    EXPECT_EQ(contents.all<spool::Kernel>(spool::RecordType::Kernel).size(), 3U);
    EXPECT_EQ(contents.all<spool::LaunchShape>(spool::RecordType::LaunchShape).size(), 2U);
    EXPECT_EQ(contents.strings.size(), 1U);
}

TEST_F(ActivityDecoderTest, CountsWorkWhoseEndIsNotKnown) {
    CUpti_ActivityKernel10 unfinished = someKernel();
    unfinished.end = 0;
    decode(unfinished);
    CUpti_ActivityMemset4 set{};
    set.kind = CUPTI_ACTIVITY_KIND_MEMSET;
    decode(set);
    EXPECT_EQ(m_decoder->losses().withoutTimes, 2U);
    EXPECT_TRUE(written().records.empty());
}

TEST_F(ActivityDecoderTest, WritesCopiesWithTheFilesMemoryKinds) {
    CUpti_ActivityMemcpy6 copy{};
    copy.kind = CUPTI_ACTIVITY_KIND_MEMCPY;
    copy.copyKind = CUPTI_ACTIVITY_MEMCPY_KIND_HTOD;
    copy.srcKind = CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE;
    copy.dstKind = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE;
    copy.bytes = 4096;
    copy.start = 10;
    copy.end = 20;
    copy.correlationId = 9;
    copy.deviceId = 3;
    decode(copy);
    copy.srcKind = CUPTI_ACTIVITY_MEMORY_KIND_UNKNOWN;
    decode(copy);
    const auto copies = written().all<spool::Memcpy>(spool::RecordType::Memcpy);
    ASSERT_EQ(copies.size(), 2U);
    EXPECT_EQ(copies[0].copyKind, 1);
    EXPECT_EQ(copies[0].srcKind, 0);
    EXPECT_EQ(copies[0].dstKind, 2);
    EXPECT_EQ(copies[0].sizeBytes, 4096U);
    EXPECT_EQ(copies[0].deviceId, 3);
    EXPECT_EQ(copies[1].srcKind, 7);
}

TEST_F(ActivityDecoderTest, WritesBothDevicesOfAPeerCopy) {
    CUpti_ActivityMemcpyPtoP4 copy{};
    copy.kind = CUPTI_ACTIVITY_KIND_MEMCPY2;
    copy.start = 10;
    copy.end = 20;
    copy.deviceId = 1;
    copy.srcDeviceId = 1;
    copy.dstDeviceId = 2;
    copy.copyKind = CUPTI_ACTIVITY_MEMCPY_KIND_PTOP;
    decode(copy);
    const auto copies = written().all<spool::Memcpy>(spool::RecordType::Memcpy);
    ASSERT_EQ(copies.size(), 1U);
    EXPECT_EQ(copies[0].srcDeviceId, 1);
    EXPECT_EQ(copies[0].dstDeviceId, 2);
    EXPECT_EQ(copies[0].copyKind, 10);
}

TEST_F(ActivityDecoderTest, WritesSynchronisationOverheadContextAndStream) {
    CUpti_ActivitySynchronization2 sync{};
    sync.kind = CUPTI_ACTIVITY_KIND_SYNCHRONIZATION;
    sync.type = CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE;
    sync.start = 5;
    sync.end = 9;
    sync.streamId = 7;
    sync.cudaEventSyncId = 3;
    decode(sync);
    CUpti_ActivityOverhead3 overhead{};
    overhead.kind = CUPTI_ACTIVITY_KIND_OVERHEAD;
    overhead.overheadKind = CUPTI_ACTIVITY_OVERHEAD_COMMAND_BUFFER_FULL;
    overhead.objectKind = CUPTI_ACTIVITY_OBJECT_THREAD;
    overhead.objectId.pt.threadId = 77;
    decode(overhead);
    CUpti_ActivityContext3 context{};
    context.kind = CUPTI_ACTIVITY_KIND_CONTEXT;
    context.contextId = 1;
    context.nullStreamId = 7;
    decode(context);
    CUpti_ActivityStream stream{};
    stream.kind = CUPTI_ACTIVITY_KIND_STREAM;
    stream.streamId = 13;
    stream.priority = static_cast<std::uint32_t>(-1);
    decode(stream);
    const SpoolContents contents = written();
    EXPECT_EQ(contents.all<spool::Synchronization>(spool::RecordType::Synchronization).at(0).syncType, 3);
    EXPECT_EQ(contents.all<spool::Synchronization>(spool::RecordType::Synchronization).at(0).eventSyncId, 3U);
    EXPECT_EQ(contents.all<spool::Overhead>(spool::RecordType::Overhead).at(0).overheadType, 8U);
    EXPECT_EQ(contents.all<spool::Overhead>(spool::RecordType::Overhead).at(0).threadId, 77U);
    EXPECT_EQ(contents.all<spool::Context>(spool::RecordType::Context).at(0).nullStreamId, 7U);
    EXPECT_EQ(contents.all<spool::Stream>(spool::RecordType::Stream).at(0).priority, -1);
}

TEST_F(ActivityDecoderTest, WritesALaunchOfAWholeGraph) {
    CUpti_ActivityGraphTrace2 graph{};
    graph.kind = CUPTI_ACTIVITY_KIND_GRAPH_TRACE;
    graph.correlationId = 42;
    graph.start = 1000;
    graph.end = 1500;
    graph.deviceId = 1;
    graph.contextId = 2;
    graph.streamId = 7;
    graph.graphId = 5;
    decode(graph);
    graph.deviceId = INT_MAX; // its first node runs on the host
    graph.endDeviceId = 3;
    graph.endContextId = 4;
    decode(graph);
    graph.end = 0;
    decode(graph);
    const auto graphs = written().all<spool::GraphTrace>(spool::RecordType::GraphTrace);
    ASSERT_EQ(graphs.size(), 2U);
    EXPECT_EQ(graphs[0].correlationId, 42U);
    EXPECT_EQ(graphs[0].startNs, 1000U);
    EXPECT_EQ(graphs[0].endNs, 1500U);
    EXPECT_EQ(graphs[0].deviceId, 1U);
    EXPECT_EQ(graphs[0].contextId, 2U);
    EXPECT_EQ(graphs[0].streamId, 7U);
    EXPECT_EQ(graphs[0].graphId, 5U);
    EXPECT_EQ(graphs[1].deviceId, 3U);
    EXPECT_EQ(graphs[1].contextId, 4U);
    EXPECT_EQ(m_decoder->losses().withoutTimes, 1U);
}

TEST_F(ActivityDecoderTest, WritesWhatTheDriverCompiled) {
    CUpti_ActivityJit2 jit{};
    jit.kind = CUPTI_ACTIVITY_KIND_JIT;
    jit.jitEntryType = CUPTI_ACTIVITY_JIT_ENTRY_PTX_TO_CUBIN;
    jit.jitOperationType = CUPTI_ACTIVITY_JIT_OPERATION_COMPILE;
    jit.deviceId = 1;
    jit.start = 10;
    jit.end = 20;
    jit.correlationId = 3;
    jit.jitOperationCorrelationId = 4;
    decode(jit);
    const auto jits = written().all<spool::Jit>(spool::RecordType::Jit);
    ASSERT_EQ(jits.size(), 1U);
    EXPECT_EQ(jits[0].entry, 1U);
    EXPECT_EQ(jits[0].operation, 3U);
    EXPECT_EQ(jits[0].deviceId, 1U);
    EXPECT_EQ(jits[0].startNs, 10U);
    EXPECT_EQ(jits[0].endNs, 20U);
    EXPECT_EQ(jits[0].correlationId, 3U);
    EXPECT_EQ(jits[0].operationId, 4U);
}

TEST_F(ActivityDecoderTest, WritesAllocationsAndReleases) {
    CUpti_ActivityMemory4 operation{};
    operation.kind = CUPTI_ACTIVITY_KIND_MEMORY2;
    operation.memoryOperationType = CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_ALLOCATION;
    operation.memoryKind = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE;
    operation.timestamp = 10;
    operation.address = 0x7f0000000000;
    operation.bytes = 1U << 21;
    operation.deviceId = 1;
    operation.contextId = 2;
    operation.streamId = 3;
    operation.correlationId = 4;
    decode(operation);
    operation.memoryOperationType = CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_RELEASE;
    decode(operation);
    const auto operations = written().all<spool::MemoryOperation>(spool::RecordType::MemoryOperation);
    ASSERT_EQ(operations.size(), 2U);
    EXPECT_EQ(operations[0].operation, 0U);
    EXPECT_EQ(operations[0].memoryKind, 2U);
    EXPECT_EQ(operations[0].timeNs, 10U);
    EXPECT_EQ(operations[0].address, 0x7f0000000000U);
    EXPECT_EQ(operations[0].sizeBytes, 1U << 21);
    EXPECT_EQ(operations[0].deviceId, 1U);
    EXPECT_EQ(operations[0].correlationId, 4U);
    EXPECT_EQ(operations[1].operation, 1U);
}

TEST_F(ActivityDecoderTest, FreesTheDetailsOfOverheadsThatCuptiLeavesToIt) {
    CUpti_ActivityOverhead3 overhead{};
    overhead.kind = CUPTI_ACTIVITY_KIND_OVERHEAD;
    overhead.correlationId = 42;
    overhead.overheadData = std::malloc(sizeof(CUpti_ActivityOverheadCommandBufferFullData));
    decode(overhead); // a leak is seen by AddressSanitizer
    EXPECT_EQ(written().all<spool::Overhead>(spool::RecordType::Overhead).at(0).correlationId, 42U);
    m_api.version = 21; // CUDA 12.3: the record ends before these
    overhead.overheadData = &overhead;
    decode(overhead);
    EXPECT_EQ(written().all<spool::Overhead>(spool::RecordType::Overhead).at(1).correlationId, 0U);
}

TEST_F(ActivityDecoderTest, NumbersOverheadKindsAsTheFileDoes) {
    const std::pair<CUpti_ActivityOverheadKind, std::uint32_t> kinds[] = {
        {CUPTI_ACTIVITY_OVERHEAD_UNKNOWN, 1},
        {CUPTI_ACTIVITY_OVERHEAD_DRIVER_COMPILER, 2},
        {CUPTI_ACTIVITY_OVERHEAD_CUPTI_BUFFER_FLUSH, 3},
        {CUPTI_ACTIVITY_OVERHEAD_CUPTI_INSTRUMENTATION, 4},
        {CUPTI_ACTIVITY_OVERHEAD_CUPTI_RESOURCE, 5},
        {CUPTI_ACTIVITY_OVERHEAD_RUNTIME_TRIGGERED_MODULE_LOADING, 6},
        {CUPTI_ACTIVITY_OVERHEAD_LAZY_FUNCTION_LOADING, 7},
        {CUPTI_ACTIVITY_OVERHEAD_COMMAND_BUFFER_FULL, 8},
        {CUPTI_ACTIVITY_OVERHEAD_ACTIVITY_BUFFER_REQUEST, 9},
    };
    for (const auto& [kind, expected] : kinds) {
        CUpti_ActivityOverhead3 overhead{};
        overhead.kind = CUPTI_ACTIVITY_KIND_OVERHEAD;
        overhead.overheadKind = kind;
        decode(overhead);
    }
    const auto written = this->written().all<spool::Overhead>(spool::RecordType::Overhead);
    ASSERT_EQ(written.size(), std::size(kinds));
    for (std::size_t i = 0; i < written.size(); ++i)
        EXPECT_EQ(written[i].overheadType, kinds[i].second);
}

TEST_F(ActivityDecoderTest, DoesNotReadTheEventSyncIdOfCuptisThatLackIt) {
    m_api.version = 24; // CUDA 12.6
    CUpti_ActivitySynchronization2 sync{};
    sync.kind = CUPTI_ACTIVITY_KIND_SYNCHRONIZATION;
    sync.cudaEventSyncId = 0xdeadbeef; // in truth the next record
    decode(sync);
    EXPECT_EQ(written().all<spool::Synchronization>(spool::RecordType::Synchronization).at(0).eventSyncId,
              0U);
}

TEST_F(ActivityDecoderTest, CountsKindsItDoesNotKnow) {
    CUpti_ActivityKernel10 record = someKernel();
    record.kind = CUPTI_ACTIVITY_KIND_PCIE;
    decode(record);
    EXPECT_EQ(m_decoder->losses().unknownKind, 1U);
}

} // namespace tacho
