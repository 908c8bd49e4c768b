// SPDX-License-Identifier: Apache-2.0
// Spool files through the real reader and writer: what ends up in which table.
#include "analyzer/model/error.h"
#include "collector/recorder/process_table.h"
#include "collector/recorder/recover.h"
#include "collector/recorder/spool_follower.h"
#include "tests/unit/recorder/spool_builder.h"
#include "tests/unit/recorder/trace_queries.h"

#include <bit>
#include <fmt/format.h>
#include <fstream>
#include <gmock/gmock.h>

namespace tacho {
namespace {

using spool::NvtxAction;
using spool::RecordType;
using spool::Severity;
using test::SpoolBuilder;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class Conversion : public testing::Test {
  protected:
    /// Adds a process and returns its file.
    std::filesystem::path add(const SpoolBuilder& builder, std::int32_t pid = SpoolBuilder::kPid,
                              int image = 0) {
        const std::filesystem::path path = directory / fmt::format("{}-{}.spool", pid, image);
        builder.write(path);
        return path;
    }
    std::string value(const std::string& sql) { return test::value(file(), sql); }
    std::vector<std::string> rows(const std::string& sql) { return test::rows(file(), sql); }
    /// "severity code count" of all health rows.
    std::vector<std::string> health() {
        return rows("SELECT severity || ' ' || code || ' ' || count FROM TACHO_HEALTH ORDER BY 1");
    }
    const std::filesystem::path& file() {
        if (made.empty())
            made = recover(directory);
        return made;
    }

    test::TemporaryFolder folder;
    std::filesystem::path directory = test::spoolDirectory(folder);
    std::filesystem::path made;
    const std::int64_t globalPid = globalThreadId(SpoolBuilder::kPid);
};

TEST_F(Conversion, AKernelGetsItsNamesAndItsLaunch) {
    spool::LaunchShape shape{};
    shape.id = 3;
    shape.name = 1;
    shape.gridX = 10, shape.gridY = 11, shape.gridZ = 12;
    shape.blockX = 13, shape.blockY = 14, shape.blockZ = 15;
    shape.staticSharedMemoryBytes = 16, shape.dynamicSharedMemoryBytes = 17;
    shape.sharedMemoryExecutedBytes = 18, shape.localMemoryPerThreadBytes = 19, shape.localMemoryTotalKiB = 2;
    shape.clusterX = 4;
    shape.registersPerThread = 20, shape.cacheConfig = 1, shape.launchType = 2;
    spool::Kernel kernel{};
    kernel.correlationId = 21, kernel.startNs = 100, kernel.endNs = 150, kernel.shape = 3;
    kernel.contextId = 22, kernel.streamId = 23, kernel.deviceId = 24;
    kernel.graphNodeId = 25, kernel.graphId = 26, kernel.gridId = 27;
    add(SpoolBuilder()
            .string(1, "_ZN2ns6vecAddILi4EEEvPf")
            .record(RecordType::LaunchShape, shape)
            .record(RecordType::Kernel, kernel)
            .end(200));
    EXPECT_EQ(
        value(
            "SELECT concat FROM (SELECT start||','||end||','||deviceId||','||contextId||','||streamId||','||"
            "correlationId||','||graphNodeId||','||graphId||','||gridId AS concat FROM "
            "CUPTI_ACTIVITY_KIND_KERNEL)"),
        "100,150,24,22,23,21,25,26,27");
    EXPECT_EQ(
        value("SELECT gridX||','||gridY||','||gridZ||','||blockX||','||blockY||','||blockZ||','||"
              "staticSharedMemory||','||dynamicSharedMemory||','||sharedMemoryExecuted||','||"
              "localMemoryPerThread||','||localMemoryTotal||','||registersPerThread||','||cacheConfig||','||"
              "launchType||','||clusterX FROM CUPTI_ACTIVITY_KIND_KERNEL"),
        "10,11,12,13,14,15,16,17,18,19,2048,20,1,2,4");
    const auto name = [&](const std::string& column) {
        return value("SELECT value FROM CUPTI_ACTIVITY_KIND_KERNEL JOIN StringIds ON StringIds.id = " +
                     column);
    };
    EXPECT_EQ(name("demangledName"), "void ns::vecAdd<4>(float*)");
    EXPECT_EQ(name("shortName"), "vecAdd");
    EXPECT_EQ(name("mangledName"), "_ZN2ns6vecAddILi4EEEvPf");
    EXPECT_EQ(value("SELECT globalPid FROM CUPTI_ACTIVITY_KIND_KERNEL"), std::to_string(globalPid));
    EXPECT_EQ(value("SELECT clusterY FROM CUPTI_ACTIVITY_KIND_KERNEL"), "NULL");
    EXPECT_THAT(health(), IsEmpty());
}

TEST_F(Conversion, CopiesNameOtherDevicesOnlyBetweenPeers) {
    spool::Memcpy copy{};
    copy.startNs = 1, copy.endNs = 2, copy.sizeBytes = 1U << 30, copy.copyKind = 1, copy.srcKind = 0,
    copy.dstKind = 2;
    spool::Memcpy peer = copy;
    peer.startNs = 3, peer.endNs = 4, peer.copyKind = 10, peer.srcDeviceId = 0, peer.dstDeviceId = 1;
    add(SpoolBuilder().record(RecordType::Memcpy, copy).record(RecordType::Memcpy, peer).end(9));
    EXPECT_THAT(
        rows("SELECT bytes||','||copyKind||','||srcKind||','||dstKind FROM CUPTI_ACTIVITY_KIND_MEMCPY"),
        ElementsAre("1073741824,1,0,2", "1073741824,10,0,2"));
    EXPECT_THAT(rows("SELECT srcDeviceId||'>'||dstDeviceId FROM CUPTI_ACTIVITY_KIND_MEMCPY"),
                ElementsAre("NULL", "0>1"));
    EXPECT_THAT(rows("SELECT graphNodeId FROM CUPTI_ACTIVITY_KIND_MEMCPY"), ElementsAre("NULL", "NULL"));
}

TEST_F(Conversion, OtherActivityLandsInItsTable) {
    spool::Memset set{};
    set.startNs = 1, set.endNs = 2, set.sizeBytes = 3, set.value = 4, set.memoryKind = 2;
    spool::ApiCall call{};
    call.startNs = 5, call.endNs = 6, call.threadId = 7, call.name = 1, call.returnValue = -1,
    call.apiClass = 1;
    spool::Synchronization synchronization{};
    synchronization.startNs = 8, synchronization.endNs = 9, synchronization.syncType = 3,
    synchronization.eventId = 4;
    spool::CudaEvent event{};
    event.eventId = 5, event.eventSyncId = 6;
    spool::Overhead overhead{};
    overhead.startNs = 10, overhead.endNs = 11, overhead.overheadType = 3, overhead.threadId = 7;
    spool::Context context{};
    context.contextId = 1, context.nullStreamId = 7;
    spool::Stream stream{};
    stream.streamId = 13, stream.contextId = 1, stream.priority = -5, stream.flag = 2;
    add(SpoolBuilder()
            .string(1, "cuLaunchKernel")
            .record(RecordType::Memset, set)
            .record(RecordType::ApiCall, call)
            .record(RecordType::Synchronization, synchronization)
            .record(RecordType::CudaEvent, event)
            .record(RecordType::Overhead, overhead)
            .record(RecordType::Context, context)
            .record(RecordType::Stream, stream)
            .end(20));
    const std::string globalTid = std::to_string(globalPid + 7);
    EXPECT_EQ(
        value("SELECT start||','||end||','||bytes||','||value||','||memKind FROM CUPTI_ACTIVITY_KIND_MEMSET"),
        "1,2,3,4,2");
    EXPECT_EQ(
        value("SELECT start||','||end||','||eventClass||','||globalTid||','||returnValue||','||value FROM "
              "CUPTI_ACTIVITY_KIND_RUNTIME JOIN StringIds ON nameId = StringIds.id"),
        "5,6,1," + globalTid + ",-1,cuLaunchKernel");
    EXPECT_EQ(
        value("SELECT start||','||end||','||syncType||','||eventId FROM CUPTI_ACTIVITY_KIND_SYNCHRONIZATION"),
        "8,9,3,4");
    EXPECT_EQ(value("SELECT ifnull(timestamp,'?')||','||eventId||','||eventSyncId FROM "
                    "CUPTI_ACTIVITY_KIND_CUDA_EVENT"),
              "?,5,6");
    EXPECT_EQ(
        value("SELECT start||','||end||','||overheadType||','||globalTid FROM CUPTI_ACTIVITY_KIND_OVERHEAD"),
        "10,11,3," + globalTid);
    EXPECT_EQ(value("SELECT contextId||','||nullStreamId||','||processId FROM TARGET_INFO_CUDA_CONTEXT_INFO"),
              "1,7,5000000");
    EXPECT_EQ(value("SELECT streamId||','||priority||','||flag FROM TARGET_INFO_CUDA_STREAM"), "13,-5,2");
    EXPECT_THAT(health(), IsEmpty());
}

TEST_F(Conversion, AGraphLaunchRecordedAsOneIsARow) {
    spool::GraphTrace graph{};
    graph.correlationId = 1, graph.startNs = 10, graph.endNs = 20, graph.contextId = 2, graph.streamId = 3;
    graph.deviceId = 4, graph.graphId = 5;
    add(SpoolBuilder().record(RecordType::GraphTrace, graph).end(30));
    EXPECT_EQ(value("SELECT start||','||end||','||deviceId||','||contextId||','||streamId||','||"
                    "correlationId||','||globalPid||','||graphId FROM CUPTI_ACTIVITY_KIND_GRAPH_TRACE"),
              "10,20,4,2,3,1," + std::to_string(globalPid) + ",5");
    EXPECT_THAT(health(), IsEmpty());
}

TEST_F(Conversion, LoadedAndCompiledCodeIsTold) {
    spool::ApiCall call{};
    call.correlationId = 42, call.startNs = 10, call.endNs = 90, call.threadId = 7, call.returnValue = 209;
    call.apiClass = 1, call.name = 5;
    spool::Jit jit{};
    jit.startNs = 20, jit.endNs = 80, jit.correlationId = 42, jit.operationId = 9, jit.deviceId = 1;
    jit.entry = 1, jit.operation = 3;
    spool::Jit unknown = jit;
    unknown.entry = 0, unknown.operation = 77;
    spool::Module module{};
    module.threadId = 7, module.timeNs = 85, module.codeBytes = 4096, module.moduleId = 3;
    module.deviceId = 1, module.architecture = 90;
    spool::Module silent = module;
    silent.architecture = 0;
    add(SpoolBuilder()
            .string(5, "cuModuleLoadData")
            .record(RecordType::ApiCall, call)
            .record(RecordType::Jit, jit)
            .record(RecordType::Jit, unknown)
            .record(RecordType::Module, module)
            .record(RecordType::Module, silent)
            .end(100));
    const std::string globalTid = std::to_string(globalPid + 7);
    EXPECT_EQ(value("SELECT start||','||end||','||eventClass||','||globalTid||','||correlationId||','||"
                    "returnValue||','||value FROM CUPTI_ACTIVITY_KIND_RUNTIME JOIN StringIds ON nameId = id"),
              "10,90,1," + globalTid + ",42,209,cuModuleLoadData");
    EXPECT_THAT(rows("SELECT device_id||','||start_ns||','||end_ns||','||correlation_id||','||"
                     "ifnull(entry,'?')||','||ifnull(operation,'?')||','||operation_id FROM TACHO_JIT"),
                ElementsAre("1,20,80,42,ptx_to_cubin,compile,9", "1,20,80,42,?,?,9"));
    EXPECT_THAT(rows("SELECT global_tid||','||time_ns||','||module_id||','||device_id||','||code_bytes||','||"
                     "ifnull(architecture,'?') FROM TACHO_MODULES"),
                ElementsAre(globalTid + ",85,3,1,4096,90", globalTid + ",85,3,1,4096,?"));
    EXPECT_THAT(health(), IsEmpty());
}

TEST_F(Conversion, MemoryIsToldByCudaAndByTheFramework) {
    spool::MemoryOperation operation{};
    operation.correlationId = 1, operation.timeNs = 10, operation.address = 0x7f0000000000;
    operation.sizeBytes = 1U << 21, operation.contextId = 2, operation.streamId = 3, operation.deviceId = 4;
    operation.memoryKind = 2, operation.operation = 0;
    spool::MemoryOperation release = operation;
    release.timeNs = 20, release.operation = 1;
    spool::FrameworkMemory memory{};
    memory.deviceId = 4, memory.timeNs = 15, memory.allocatedBytes = 100, memory.reservedBytes = 200;
    memory.peakAllocatedBytes = 150;
    add(SpoolBuilder()
            .record(RecordType::MemoryOperation, operation)
            .record(RecordType::MemoryOperation, release)
            .record(RecordType::FrameworkMemory, memory)
            .end(30));
    EXPECT_THAT(rows("SELECT start||','||deviceId||','||address||','||bytes||','||memKind||','||label FROM "
                     "CUDA_GPU_MEMORY_USAGE_EVENTS JOIN ENUM_CUDA_DEV_MEM_EVENT_OPER ON id = "
                     "memoryOperationType"),
                ElementsAre("10,4,139637976727552,2097152,2,Allocation",
                            "20,4,139637976727552,2097152,2,Deallocation"));
    EXPECT_EQ(value("SELECT device_id||','||time_ns||','||allocated_bytes||','||reserved_bytes||','||"
                    "peak_allocated_bytes FROM TACHO_FRAMEWORK_MEMORY"),
              "4,15,100,200,150");
    EXPECT_THAT(health(), IsEmpty());
}

TEST_F(Conversion, ProcessesKeepTheirEqualCorrelationIdsAndShareTexts) {
    for (const std::int32_t pid : {5'000'001, 5'000'002})
        add(SpoolBuilder(pid)
                .string(static_cast<std::uint32_t>(pid), "k")
                .shape(1, static_cast<std::uint32_t>(pid))
                .kernel(7, 10, 20)
                .end(30),
            pid);
    EXPECT_THAT(
        rows("SELECT (globalPid >> 24) || ':' || correlationId FROM CUPTI_ACTIVITY_KIND_KERNEL ORDER BY 1"),
        ElementsAre("5000001:7", "5000002:7"));
    EXPECT_EQ(value("SELECT count(*) FROM StringIds"), "1"); // mangled, demangled and short name are all "k"
    EXPECT_EQ(value("SELECT count(DISTINCT demangledName) FROM CUPTI_ACTIVITY_KIND_KERNEL"), "1");
}

TEST_F(Conversion, OneGpuSeenByTwoProcessesUnderTwoNumbersIsOneGpu) {
    const auto process = [&](std::int32_t pid, std::uint32_t ordinal, std::string_view uuid) {
        spool::Device device{};
        device.deviceId = ordinal, device.name = 1, device.uuid = 2, device.smCount = 132,
        device.clockRateKHz = 1980;
        device.totalMemoryBytes = 80'000'000'000, device.computeMajor = 9;
        add(SpoolBuilder(pid)
                .string(1, "H200")
                .string(2, uuid)
                .record(RecordType::Device, device)
                .record(RecordType::Device, device)
                .end(9),
            pid);
    };
    process(5'000'001, 0, "GPU-a");
    process(5'000'002, 1, "GPU-a");
    process(5'000'003, 0, "GPU-b");
    EXPECT_THAT(
        rows("SELECT id||','||name||','||uuid||','||smCount||','||totalMemory||','||clockRate||','||"
             "computeMajor||'.'||computeMinor FROM TARGET_INFO_GPU"),
        ElementsAre("0,H200,GPU-a,132,80000000000,1980000,9.0", "1,H200,GPU-b,132,80000000000,1980000,9.0"));
    EXPECT_THAT(rows("SELECT pid||','||cudaId||','||gpuId FROM TARGET_INFO_CUDA_DEVICE"),
                ElementsAre("5000001,0,0", "5000002,1,0", "5000003,0,1"));
    EXPECT_EQ(value("SELECT busLocation||maxWarpsPerSm FROM TARGET_INFO_GPU WHERE id = 0"), "NULL");
}

TEST_F(Conversion, NvtxRowsSayWhatKindTheyAre) {
    spool::NvtxEvent start{};
    start.action = static_cast<std::uint16_t>(NvtxAction::Start);
    start.timeNs = 5, start.rangeId = 77, start.threadId = 7, start.domain = 2, start.category = 3;
    start.color = 0xff00ff00, start.hasColor = 1, start.registered = 1;
    start.payloadType = 3, start.payload = std::bit_cast<std::uint64_t>(2.5);
    spool::NvtxEvent end{};
    end.action = static_cast<std::uint16_t>(NvtxAction::End);
    end.timeNs = 8, end.rangeId = 77, end.threadId = 9;
    spool::NvtxCategory category{};
    category.domain = 2, category.category = 3, category.textBytes = 2;
    add(SpoolBuilder()
            .string(1, "epoch")
            .named(RecordType::NvtxDomain, 2, "NCCL")
            .record(RecordType::NvtxCategory, category, "io")
            .nvtx(NvtxAction::Push, 10, "step")
            .nvtx(NvtxAction::Mark, 11, "here")
            .nvtx(NvtxAction::Pop, 12)
            .nvtx(NvtxAction::Push, 13, "open")
            .record(RecordType::NvtxEvent, start)
            .record(RecordType::NvtxEvent, end)
            .named(RecordType::ThreadName, 7, "main")
            .named(RecordType::ThreadName, 7, "trainer")
            .end(20));
    EXPECT_THAT(
        rows("SELECT eventType||' '||start||'-'||ifnull(end,'')||' '||text||' '||(globalTid & 0xffffff) FROM "
             "NVTX_EVENTS WHERE textId IS NULL ORDER BY eventType, start"),
        ElementsAre("33 1000- io 0", "34 11- here 7", "59 10-12 step 7", "59 13- open 7", "75 1000- NCCL 0"));
    EXPECT_EQ(
        value("SELECT eventType||' '||start||'-'||end||' '||value||' '||rangeId||' '||category||' "
              "'||color||' '||"
              "(endGlobalTid & 0xffffff)||' '||domainId||' '||doubleValue FROM NVTX_EVENTS JOIN StringIds ON "
              "textId = StringIds.id"),
        "60 5-8 epoch 77 3 4278255360 9 2 2.5");
    EXPECT_EQ(value("SELECT value FROM ThreadNames JOIN StringIds ON nameId = StringIds.id"), "trainer");
}

TEST_F(Conversion, StepsAreCutAtTheirEndsAndWindowsAtTheirChanges) {
    add(SpoolBuilder()
            .step(1, 200)
            .step(0, 100)
            .window(true, 150)
            .window(false, 250)
            .window(true, 300)
            .end(400));
    EXPECT_THAT(rows("SELECT step_index||' '||ifnull(start_ns,'')||'-'||end_ns FROM TACHO_STEPS"),
                ElementsAre("0 -100", "1 100-200"));
    EXPECT_THAT(rows("SELECT start_ns||'-'||ifnull(end_ns,'') FROM TACHO_WINDOWS"),
                ElementsAre("150-250", "300-"));
}

TEST_F(Conversion, StepsAtFullSpeedAndRecordedOnesBecomeBlocksOfTheCalibration) {
    SpoolBuilder spool;
    for (std::uint64_t step = 0; step < 20; ++step)
        spool.step(step, 100 * (step + 1) + (step >= 15 ? 10 * (step - 14) : 0));
    add(spool.fullSpeed(50, 1500).window(true, 1500).window(false, 2060).end(2100));
    EXPECT_THAT(rows("SELECT is_profiled||' '||first_step||'-'||last_step||' '||start_ns||'-'||end_ns||' '"
                     "||step_ns FROM TACHO_CALIBRATION"),
                ElementsAre("0 10-14 1000-1500 100", "1 15-19 1500-2050 110"));
}

TEST_F(Conversion, AStepAfterALostOneHasNoKnownStart) {
    add(SpoolBuilder().step(0, 100).step(2, 300).step(3, 400).end(500));
    EXPECT_THAT(rows("SELECT step_index||' '||ifnull(start_ns,'')||'-'||end_ns FROM TACHO_STEPS"),
                ElementsAre("0 -100", "2 -300", "3 300-400"));
}

TEST_F(Conversion, FactsGoToTheFrameworkAndRanksToTheProcess) {
    add(SpoolBuilder(SpoolBuilder::kPid, 300)
            .fact("torch", "2.10")
            .fact("torch", "2.11")
            .fact("rank", "3")
            .fact("local_rank", "1")
            .fact("world_size", "many")
            .fact("cupti_version", "28")
            .end(900));
    EXPECT_EQ(value("SELECT value FROM TACHO_FRAMEWORK WHERE name = 'torch'"), "2.11");
    EXPECT_EQ(value("SELECT start_ns||'-'||end_ns||' '||parent_pid||' '||rank||' '||local_rank||' '||"
                    "ifnull(world_size,'?') FROM TACHO_PROCESSES"),
              "300-900 1 3 1 ?");
    EXPECT_EQ(value("SELECT value FROM TACHO_META WHERE name = 'cupti_version'"), "28");
}

TEST_F(Conversion, TheCommandOfAProcessIsStoredWithoutItsSecrets) {
    add(SpoolBuilder().fact("process.arguments", "/usr/bin/python3\ntrain.py\n--hf-token\nabc").end(1));
    EXPECT_EQ(value("SELECT command_line FROM TACHO_PROCESSES"), "/usr/bin/python3 train.py --hf-token ***");
    EXPECT_EQ(value("SELECT name FROM PROCESSES"), "python3");
    EXPECT_THAT(rows("SELECT value FROM TACHO_FRAMEWORK"), IsEmpty());
}

TEST_F(Conversion, ATorchProfilerBesideTheRecordingIsNamed) {
    add(SpoolBuilder()
            .fact("torch_profiler.seen", "1")
            .end(9)); // a process without GPU work: it lost nothing
    add(SpoolBuilder(SpoolBuilder::kPid + 1)
            .fact("torch_profiler.seen", "1")
            .string(1, "gemm")
            .shape(1, 1)
            .kernel(1, 10, 20)
            .end(90));
    EXPECT_THAT(health(), ElementsAre("warning torch_profiler_blind 1"));
}

TEST_F(Conversion, HealthOfOneProcessAddsUp) {
    add(SpoolBuilder()
            .health(Severity::Info, "dropped", "3 dropped", 3)
            .health(Severity::DataLoss, "dropped", "2 more dropped", 2)
            .end(1));
    EXPECT_THAT(health(), ElementsAre("data_loss dropped 5"));
    EXPECT_EQ(value("SELECT message FROM TACHO_HEALTH WHERE global_pid = " + std::to_string(globalPid)),
              "2 more dropped");
}

TEST_F(Conversion, TheFileSaysWhereItComesFrom) {
    add(SpoolBuilder().end(1));
    EXPECT_EQ(value("PRAGMA user_version"), "1");
    EXPECT_EQ(value("SELECT group_concat(name||'='||value, ' ') FROM (SELECT * FROM TACHO_META WHERE name IN "
                    "('command', 'hostname', 'window', 'exit_status', 'format_version') ORDER BY name)"),
              "command=python train.py exit_status=0 format_version=1 hostname=node1 window=all");
    EXPECT_EQ(value("SELECT value FROM META_DATA_EXPORT WHERE name = 'EXPORT_SCHEMA_VERSION'"), "3.25.0");
    EXPECT_EQ(
        value("SELECT utcEpochNs||' '||utcTime||' '||systemClockNs FROM TARGET_INFO_SESSION_START_TIME"),
        "1700000000000000000 2023-11-14T22:13:20 500");
}

TEST_F(Conversion, ImagesOfOneProcessAreOneProcess) {
    add(SpoolBuilder(SpoolBuilder::kPid, 100).fact("a", "1").fact("b", "1"));
    add(SpoolBuilder(SpoolBuilder::kPid, 200).fact("b", "2").end(900), SpoolBuilder::kPid, 1);
    EXPECT_EQ(value("SELECT start_ns||'-'||end_ns FROM TACHO_PROCESSES"), "100-900");
    EXPECT_THAT(rows("SELECT name||value FROM TACHO_FRAMEWORK ORDER BY name"), ElementsAre("a1", "b2"));
}

TEST_F(Conversion, AProcessThatWasKilledIsReportedAndKept) {
    add(SpoolBuilder().string(1, "k").shape(1, 1).kernel(1, 10, 20).raw("cut"));
    EXPECT_EQ(value("SELECT count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL"), "1");
    EXPECT_EQ(value("SELECT end_ns FROM TACHO_PROCESSES"), "NULL");
    EXPECT_THAT(health(), ElementsAre("warning not_ended 1"));
}

TEST_F(Conversion, AFileThatItsProcessCouldNotWriteToItsEndIsDataLoss) {
    const auto file = add(SpoolBuilder().nvtx(NvtxAction::Push, 1, "step").raw("cut"));
    std::ofstream(file.string() + spool::kFailedSuffix);
    EXPECT_THAT(health(), ElementsAre("data_loss spool_write_failed 1"));
}

TEST_F(Conversion, SoIsAKilledProcessThatOnlyHadRanges) {
    add(SpoolBuilder().nvtx(NvtxAction::Push, 1, "step"));
    EXPECT_THAT(health(), ElementsAre("warning not_ended 1"));
}

TEST_F(Conversion, AHelperThatEndedByExitIsNoWarning) {
    add(SpoolBuilder().step(0, 5));
    EXPECT_THAT(health(), ElementsAre("info not_ended 1"));
}

TEST_F(Conversion, EventsWithoutTimesOrNamesAreCounted) {
    add(SpoolBuilder().kernel(1, 10, 20).kernel(2, 20, 10).kernel(3, 0, 0).end(1));
    EXPECT_EQ(
        value("SELECT value FROM CUPTI_ACTIVITY_KIND_KERNEL JOIN StringIds ON shortName = StringIds.id"),
        "(unknown)");
    EXPECT_THAT(health(), ElementsAre("data_loss names_unknown 1", "data_loss times_unknown 2"));
}

TEST_F(Conversion, RecordsOfUnknownKindOrTooShortAreCountedAndTheRestIsRead) {
    struct Stub {
        spool::RecordHeader header;
        std::uint32_t reserved;
    };
    spool::StringRecord lying{};
    lying.id = 1;
    lying.textBytes = 4000;
    add(SpoolBuilder()
            .record(static_cast<RecordType>(999), Stub{})
            .record(RecordType::Kernel, Stub{})
            .record(RecordType::String, lying)
            .step(0, 5)
            .end(9));
    EXPECT_EQ(value("SELECT count(*) FROM TACHO_STEPS"), "1");
    EXPECT_THAT(health(), ElementsAre("data_loss records_unusable 3"));
}

TEST_F(Conversion, FilesThatAreNotUsableAreNamed) {
    std::ofstream(directory / "1-0.spool") << std::string(99, 'x');
    std::ofstream(directory / "2-0.spool") << "TACHO";
    std::ofstream(directory / "notes.txt") << "hello";
    add(SpoolBuilder(5'000'003, 1, spool::kVersion + 1), 5'000'003);
    add(SpoolBuilder().step(0, 5).raw(std::string(16, '\0')));
    EXPECT_THAT(health(), ElementsAre("data_loss spool_damaged 1", "error spool_newer 1",
                                      "info spool_empty 1", "warning spool_foreign 1"));
    EXPECT_THAT(value("SELECT message FROM TACHO_HEALTH WHERE code = 'spool_damaged'"),
                HasSubstr("the 16 bytes"));
}

TEST_F(Conversion, ACommandThatRecordedNothingSaysSo) {
    EXPECT_THAT(health(), ElementsAre("warning nothing_recorded 1"));
}

/// Everything in a file, with string ids resolved where kernels use them.
std::vector<std::string> contents(const std::filesystem::path& file) {
    std::vector<std::string> all;
    for (const char* sql :
         {"SELECT start||','||correlationId||','||globalPid||','||value FROM CUPTI_ACTIVITY_KIND_KERNEL JOIN "
          "StringIds "
          "ON shortName = StringIds.id ORDER BY globalPid, start",
          "SELECT start||','||ifnull(end,'')||','||text||','||globalTid FROM NVTX_EVENTS ORDER BY globalTid, "
          "start",
          "SELECT step_index||','||end_ns||','||global_pid FROM TACHO_STEPS ORDER BY global_pid, end_ns",
          "SELECT code||message FROM TACHO_HEALTH ORDER BY 1",
          "SELECT name||value FROM TACHO_META ORDER BY 1",
          "SELECT global_pid||','||ifnull(end_ns,'') FROM TACHO_PROCESSES",
          "SELECT value FROM StringIds ORDER BY 1"})
        for (const std::string& row : test::rows(file, sql))
            all.push_back(row);
    return all;
}

TEST_F(Conversion, RecoveringGivesWhatFollowingWouldHaveGiven) {
    std::vector<std::string> spools;
    for (const std::int32_t pid : {5'000'001, 5'000'002}) {
        SpoolBuilder builder(pid);
        builder.string(1, "k" + std::to_string(pid)).shape(1, 1);
        for (std::uint32_t i = 1; i <= 50; ++i)
            builder.nvtx(NvtxAction::Push, i, "step").kernel(i, i, i + 1).step(i, i).nvtx(NvtxAction::Pop, i);
        if (pid % 2 != 0)
            builder.end(99);
        spools.push_back(builder.bytes());
    }
    // Followed: both files grow by a few bytes between polls.
    const CaptureSession session = CaptureSession::load(directory);
    const std::filesystem::path followed = folder / "followed.sqlite";
    {
        TraceWriter writer(followed, session);
        SpoolFollower follower(directory, writer);
        for (std::size_t at = 0; at < std::max(spools[0].size(), spools[1].size()); at += 1001) {
            for (std::size_t i = 0; i < spools.size(); ++i)
                if (at < spools[i].size())
                    std::ofstream(directory / fmt::format("{}-0.spool", 5'000'001 + i), std::ios::app)
                        << spools[i].substr(at, 1001);
            follower.poll();
        }
        follower.finish();
        EXPECT_EQ(follower.events(), 2U * (2 + 50 * 4) + 1);
        writer.finish(session);
    }
    EXPECT_EQ(contents(followed), contents(file()));
    EXPECT_FALSE(std::filesystem::exists(directory));
}

TEST_F(Conversion, AnUnfinishedFileIsRemoved) {
    {
        TraceWriter writer(folder / "x.sqlite", CaptureSession::load(directory));
        EXPECT_TRUE(std::filesystem::exists(folder / "x.sqlite.partial"));
    }
    EXPECT_FALSE(std::filesystem::exists(folder / "x.sqlite.partial"));
    EXPECT_FALSE(std::filesystem::exists(folder / "x.sqlite"));
}

TEST_F(Conversion, RecoveringNeverOverwrites) {
    std::ofstream(folder / "run.sqlite") << "mine";
    EXPECT_EQ(file(), folder / "run-2.sqlite");
}

TEST_F(Conversion, RecoveringRefusesAFolderThatIsNoSpool) {
    EXPECT_THROW((void)recover(folder.path()), Error);
    EXPECT_THROW((void)recover(folder / "none"), Error);
}

TEST_F(Conversion, RecoveringRefusesWhileAProcessStillWrites) {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    const auto nowNs = static_cast<std::uint64_t>(now.tv_sec * 1'000'000'000 + now.tv_nsec);
    add(SpoolBuilder(getpid(), nowNs), getpid());
    EXPECT_THROW((void)recover(directory), Error);
    EXPECT_TRUE(std::filesystem::exists(directory));
    EXPECT_FALSE(std::filesystem::exists(folder / "run.sqlite"));
}

} // namespace
} // namespace tacho
