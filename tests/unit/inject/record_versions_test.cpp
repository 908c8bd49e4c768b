// SPDX-License-Identifier: Apache-2.0
// The records of each CUPTI as it lays them out, through the callbacks that CUPTI calls.
#include "collector/inject/cupti_source.h"
#include "collector/inject/cupti_versions.h"
#include "tests/unit/inject/fake_cupti.h"
#include "tests/unit/inject/spool_contents.h"

#include <climits>
#include <gtest/gtest.h>
#include <memory>

namespace tacho {

namespace {

/// A layout of a version that is newer than our headers.
template <typename Known>
struct Appended : Known {
    std::uint64_t more[3];
};

struct Cuda118 {
    static constexpr std::uint32_t kVersion = cupti_version::kCuda118;
    using Kernel = CUpti_ActivityKernel8;
    using Memcpy = CUpti_ActivityMemcpy5;
    using PeerMemcpy = CUpti_ActivityMemcpyPtoP4;
    using Memset = CUpti_ActivityMemset4;
    using Synchronization = CUpti_ActivitySynchronization;
    using Overhead = CUpti_ActivityOverhead;
    using Context = CUpti_ActivityContext;
    using GraphTrace = CUpti_ActivityGraphTrace;
    using Jit = CUpti_ActivityJit;
    using Memory = CUpti_ActivityMemory3;
};

struct Cuda120 : Cuda118 {
    static constexpr std::uint32_t kVersion = cupti_version::kCuda120;
    using Kernel = CUpti_ActivityKernel9;
};

struct Cuda124 : Cuda120 {
    static constexpr std::uint32_t kVersion = cupti_version::kCuda124;
    using Overhead = CUpti_ActivityOverhead3;
    using Context = CUpti_ActivityContext2;
    using GraphTrace = CUpti_ActivityGraphTrace2;
    using Jit = CUpti_ActivityJit2;
};

struct Cuda128 : Cuda124 {
    static constexpr std::uint32_t kVersion = cupti_version::kCuda128;
    using Memcpy = CUpti_ActivityMemcpy6;
    using Synchronization = CUpti_ActivitySynchronization2;
    using Context = CUpti_ActivityContext3;
    using Memory = CUpti_ActivityMemory4;
};

struct Cuda130 : Cuda128 {
    static constexpr std::uint32_t kVersion = cupti_version::kCuda130 + 1;
    using Kernel = CUpti_ActivityKernel10;
};

struct Newer : Cuda130 {
    static constexpr std::uint32_t kVersion = cupti_version::kUnknown + 1;
    using Kernel = Appended<CUpti_ActivityKernel10>;
    using Memcpy = Appended<CUpti_ActivityMemcpy6>;
    using PeerMemcpy = Appended<CUpti_ActivityMemcpyPtoP4>;
    using Memset = Appended<CUpti_ActivityMemset4>;
    using Synchronization = Appended<CUpti_ActivitySynchronization2>;
    using Overhead = Appended<CUpti_ActivityOverhead3>;
    using Context = Appended<CUpti_ActivityContext3>;
    using GraphTrace = Appended<CUpti_ActivityGraphTrace2>;
    using Jit = Appended<CUpti_ActivityJit2>;
    using Memory = Appended<CUpti_ActivityMemory4>;
};

template <typename Version>
class RecordVersions : public testing::Test {
  protected:
    void SetUp() override {
        FakeCupti::reset();
        ASSERT_TRUE(m_file->create(m_directory.path()));
        CuptiApi api = FakeCupti::api();
        api.version = Version::kVersion;
        ASSERT_EQ(cuptiSource().attach(api, *m_file, CuptiSource::Detail::Calls), nullptr);
    }

    /// Appends a record to the buffer that deliver() hands over. What follows it in the buffer is not zero.
    template <typename Record>
    Record& add(CUpti_ActivityKind kind) {
        FakeCupti::recordBytes[kind] = sizeof(Record);
        auto& record = m_records.emplace_back(sizeof(Record), '\0');
        auto& typed = reinterpret_cast<Record&>(*record.data());
        typed.kind = kind;
        return typed;
    }

    SpoolContents deliver() {
        std::string buffer;
        for (const std::string& record : m_records)
            buffer += record;
        EXPECT_TRUE(FakeCupti::deliver(buffer));
        cuptiSource().drain();
        m_file->flush();
        return SpoolContents(m_directory.onlyFile());
    }

    SpoolDirectory m_directory;
    std::unique_ptr<SpoolFile> m_file = std::make_unique<SpoolFile>();
    std::vector<std::string> m_records;
};

using Versions = testing::Types<Cuda118, Cuda120, Cuda124, Cuda128, Cuda130, Newer>;
TYPED_TEST_SUITE(RecordVersions, Versions);

template <typename Record>
void setTimes(Record& record) {
    record.start = 1000;
    record.end = 1500;
    record.correlationId = 42;
    record.contextId = 2;
    record.streamId = 7;
}

} // namespace

TYPED_TEST(RecordVersions, ReadsKernels) {
    for (int i = 0; i < 2; ++i) { // the second is found only if the first has the right size
        auto& kernel = this->template add<typename TypeParam::Kernel>(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
        setTimes(kernel);
        kernel.name = "gemm";
        kernel.deviceId = 1;
        kernel.gridX = 10 + i;
        kernel.blockZ = 4;
        kernel.registersPerThread = 64;
        kernel.dynamicSharedMemory = 200;
        kernel.sharedMemoryExecuted = 4096;
        kernel.localMemoryTotal_v2 = 2048;
        kernel.graphNodeId = 5;
        kernel.graphId = 6;
        kernel.clusterX = 2;
    }
    const SpoolContents contents = this->deliver();
    const auto kernels = contents.template all<spool::Kernel>(spool::RecordType::Kernel);
    const auto shapes = contents.template all<spool::LaunchShape>(spool::RecordType::LaunchShape);
    ASSERT_EQ(kernels.size(), 2U);
    ASSERT_EQ(shapes.size(), 2U);
    EXPECT_EQ(kernels[1].startNs, 1000U);
    EXPECT_EQ(kernels[1].endNs, 1500U);
    EXPECT_EQ(kernels[1].correlationId, 42U);
    EXPECT_EQ(kernels[1].deviceId, 1U);
    EXPECT_EQ(kernels[1].graphNodeId, 5U);
    EXPECT_EQ(kernels[1].graphId, 6U);
    EXPECT_EQ(contents.strings.at(shapes[1].name), "gemm");
    EXPECT_EQ(shapes[1].gridX, 11);
    EXPECT_EQ(shapes[1].blockZ, 4);
    EXPECT_EQ(shapes[1].registersPerThread, 64);
    EXPECT_EQ(shapes[1].dynamicSharedMemoryBytes, 200);
    EXPECT_EQ(shapes[1].sharedMemoryExecutedBytes, 4096U);
    EXPECT_EQ(shapes[1].localMemoryTotalKiB, 2U);
    EXPECT_EQ(shapes[1].clusterX, 2U);
}

TYPED_TEST(RecordVersions, ReadsCopiesAndSets) {
    auto& copy = this->template add<typename TypeParam::Memcpy>(CUPTI_ACTIVITY_KIND_MEMCPY);
    setTimes(copy);
    copy.bytes = 4096;
    copy.graphNodeId = 5;
    auto& peer = this->template add<typename TypeParam::PeerMemcpy>(CUPTI_ACTIVITY_KIND_MEMCPY2);
    setTimes(peer);
    peer.dstDeviceId = 3;
    auto& set = this->template add<typename TypeParam::Memset>(CUPTI_ACTIVITY_KIND_MEMSET);
    setTimes(set);
    set.bytes = 512;
    set.memoryKind = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE;
    set.graphNodeId = 8;
    const SpoolContents contents = this->deliver();
    const auto copies = contents.template all<spool::Memcpy>(spool::RecordType::Memcpy);
    const auto sets = contents.template all<spool::Memset>(spool::RecordType::Memset);
    ASSERT_EQ(copies.size(), 2U);
    ASSERT_EQ(sets.size(), 1U);
    EXPECT_EQ(copies[0].sizeBytes, 4096U);
    EXPECT_EQ(copies[0].graphNodeId, 5U);
    EXPECT_EQ(copies[0].streamId, 7U);
    EXPECT_EQ(copies[1].dstDeviceId, 3);
    EXPECT_EQ(sets[0].sizeBytes, 512U);
    EXPECT_EQ(sets[0].memoryKind, 2);
    EXPECT_EQ(sets[0].graphNodeId, 8U);
}

TYPED_TEST(RecordVersions, ReadsGraphsCompilationsAndAllocations) {
    auto& graph = this->template add<typename TypeParam::GraphTrace>(CUPTI_ACTIVITY_KIND_GRAPH_TRACE);
    setTimes(graph);
    graph.graphId = 6;
    graph.deviceId = INT_MAX; // it begins on the host
    if constexpr (TypeParam::kVersion >= cupti_version::kCuda123)
        graph.endDeviceId = 3;
    auto& jit = this->template add<typename TypeParam::Jit>(CUPTI_ACTIVITY_KIND_JIT);
    jit.start = 5;
    jit.end = 8;
    jit.jitOperationCorrelationId = 11;
    auto& memory = this->template add<typename TypeParam::Memory>(CUPTI_ACTIVITY_KIND_MEMORY2);
    memory.address = 0x7f00'0000'0000;
    memory.bytes = 4096;
    memory.timestamp = 99;
    const SpoolContents contents = this->deliver();
    const auto graphs = contents.template all<spool::GraphTrace>(spool::RecordType::GraphTrace);
    const auto jits = contents.template all<spool::Jit>(spool::RecordType::Jit);
    const auto operations = contents.template all<spool::MemoryOperation>(spool::RecordType::MemoryOperation);
    ASSERT_EQ(graphs.size(), 1U);
    ASSERT_EQ(jits.size(), 1U);
    ASSERT_EQ(operations.size(), 1U);
    EXPECT_EQ(graphs[0].graphId, 6U);
    EXPECT_EQ(graphs[0].endNs, 1500U);
    EXPECT_EQ(graphs[0].deviceId,
              TypeParam::kVersion >= cupti_version::kCuda123 ? 3U : std::uint32_t{INT_MAX});
    EXPECT_EQ(jits[0].endNs, 8U);
    EXPECT_EQ(jits[0].operationId, 11U);
    EXPECT_EQ(operations[0].address, 0x7f00'0000'0000U);
    EXPECT_EQ(operations[0].sizeBytes, 4096U);
    EXPECT_EQ(operations[0].timeNs, 99U);
}

TYPED_TEST(RecordVersions, ReadsHostSideRecordsAndNothingBehindThem) {
    auto& sync = this->template add<typename TypeParam::Synchronization>(CUPTI_ACTIVITY_KIND_SYNCHRONIZATION);
    setTimes(sync);
    sync.cudaEventId = 9;
    constexpr bool kHasEventSyncId = TypeParam::kVersion >= cupti_version::kCuda128;
    if constexpr (kHasEventSyncId)
        sync.cudaEventSyncId = 77;
    auto& overhead = this->template add<typename TypeParam::Overhead>(CUPTI_ACTIVITY_KIND_OVERHEAD);
    overhead.start = 1;
    overhead.end = 3;
    overhead.objectKind = CUPTI_ACTIVITY_OBJECT_THREAD;
    overhead.objectId.pt.threadId = 77;
    auto& context = this->template add<typename TypeParam::Context>(CUPTI_ACTIVITY_KIND_CONTEXT);
    context.contextId = 4;
    context.nullStreamId = 7;
    this->template add<CUpti_ActivityCudaEvent>(CUPTI_ACTIVITY_KIND_CUDA_EVENT).eventId = 9;
    auto& stream = this->template add<CUpti_ActivityStream>(CUPTI_ACTIVITY_KIND_STREAM);
    stream.streamId = 13;
    const SpoolContents contents = this->deliver();
    const auto syncs = contents.template all<spool::Synchronization>(spool::RecordType::Synchronization);
    const auto overheads = contents.template all<spool::Overhead>(spool::RecordType::Overhead);
    ASSERT_EQ(syncs.size(), 1U);
    ASSERT_EQ(overheads.size(), 1U);
    EXPECT_EQ(syncs[0].eventId, 9U);
    EXPECT_EQ(syncs[0].eventSyncId, kHasEventSyncId ? 77U : 0U);
    EXPECT_EQ(overheads[0].endNs, 3U);
    EXPECT_EQ(overheads[0].threadId, 77U);
    EXPECT_EQ(contents.template all<spool::Context>(spool::RecordType::Context).at(0).nullStreamId, 7U);
    EXPECT_EQ(contents.template all<spool::Stream>(spool::RecordType::Stream).at(0).streamId, 13U);
    EXPECT_EQ(cuptiSource().decoder().losses().unknownKind, 0U) << "CUDA 12.8 and older bring events unasked";
}

} // namespace tacho
