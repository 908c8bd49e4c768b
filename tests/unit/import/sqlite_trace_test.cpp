// SPDX-License-Identifier: Apache-2.0
#include "analyzer/import/open_trace.h"
#include "analyzer/metrics/device_breakdown.h"
#include "analyzer/metrics/device_rows.h"
#include "analyzer/metrics/kernel_times.h"
#include "analyzer/sqlite/schema.h"
#include "analyzer/sqlite/sqlite.h"
#include "tests/unit/import/temp_files.h"

#include <algorithm>

namespace tacho {
namespace {

constexpr const char* kStrings =
    "CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT);"
    "INSERT INTO StringIds VALUES (1, 'gemm'), (2, 'cudaLaunchKernel_v7000'), (3, 'step'),"
    " (4, 'NCCL'), (5, 'worker');";
// Process 10 is 167772160, process 11 is 184549376; thread ids are added to them.
constexpr const char* kLaunches =
    "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start, end, correlationId, globalTid, nameId);"
    "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (5, 6, 1, 167772161, 2), (7, 8, 1, "
    "184549377, 2);";
constexpr const char* kKernels = "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (globalPid, deviceId, streamId, "
                                 "correlationId, demangledName, end, start);"
                                 "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (184549376, 0, 7, 1, 1, 30, "
                                 "20), (167772160, 0, 7, 1, 1, 25, 15);";

class SqliteTrace : public TempFiles {
  protected:
    Trace open(const std::string& sql, const std::string& name = "x.sqlite") {
        Database(path(name), Database::Mode::Create).execute(sql);
        return openTrace({path(name)});
    }
    /// A file of tacho, as if the recorder had written it.
    static std::string own(const std::string& sql) {
        return std::string(embedded::schemaSql) + "INSERT INTO TACHO_META VALUES ('format_version', '1');" +
               sql;
    }
};

TEST_F(SqliteTrace, ColumnsAreFoundByNameAndJoinsUseTheProcess) {
    const Trace trace = open(std::string(kStrings) + kLaunches + kKernels);
    EXPECT_EQ(trace.source, Source::Nsys);
    ASSERT_EQ(trace.gpuOps.size(), 2U);
    EXPECT_EQ(toNs(trace.gpuOps.start[0]), 15);
    EXPECT_EQ(trace.text(trace.gpuOps.name[0]), "gemm");
    EXPECT_EQ(trace.gpuOps.shape[0], kNoRow);
    EXPECT_EQ(trace.gpuOps.launch, (std::vector<std::uint32_t>{0, 1}));
    EXPECT_EQ(trace.text(trace.apiCalls.name[0]), "cudaLaunchKernel");
    EXPECT_EQ(trace.apiCalls.kind[0], ApiKind::Launch);
    EXPECT_EQ(breakDownDevices(trace).size(), 2U); // one GPU, two processes
}

TEST_F(SqliteTrace, VersionedTableNamesAreFound) {
    const Trace trace =
        open(std::string(kStrings) + "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL_V2 (start, end, deviceId);"
                                     "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL_V2 VALUES (1, 2, 0);"
                                     "CREATE TABLE NVTX_EVENTS_V3 (start, end, eventType, text);"
                                     "INSERT INTO NVTX_EVENTS_V3 VALUES (1, 9, 59, 'range')");
    EXPECT_EQ(trace.gpuOps.size(), 1U);
    EXPECT_EQ(trace.ranges.size(), 1U);
}

TEST_F(SqliteTrace, NvtxNamesAreInlineOrRegistered) {
    const Trace trace =
        open(std::string(kStrings) +
             "CREATE TABLE NVTX_EVENTS (start, end, eventType, text, textId, domainId, globalTid);"
             "INSERT INTO NVTX_EVENTS VALUES (1, 2, 59, 'inline', NULL, 0, 1), (3, 4, 60, NULL, 3, 1, 1),"
             " (0, NULL, 75, NULL, 4, 1, 1), (5, NULL, 34, 'mark', NULL, 0, 1), (6, NULL, 39, 'name', "
             "NULL, 0, 1)");
    ASSERT_EQ(trace.ranges.size(), 3U);
    EXPECT_EQ(trace.text(trace.ranges.name[0]), "inline");
    EXPECT_EQ(trace.text(trace.ranges.name[1]), "step");
    EXPECT_EQ(trace.text(trace.ranges.domain[1]), "NCCL");
    EXPECT_EQ(trace.ranges.kind[2], RangeKind::Mark);
}

TEST_F(SqliteTrace, RangesStillOpenLastToTheEndOfTheCapture) {
    const Trace trace = open(std::string(kStrings) + kKernels +
                             "CREATE TABLE NVTX_EVENTS (start, end, eventType, text);"
                             "INSERT INTO NVTX_EVENTS VALUES (1, NULL, 59, 'epoch')");
    EXPECT_EQ(toNs(trace.ranges.end.at(0)), 30);
    EXPECT_EQ(healthCount(trace, "open_range"), 1);
}

TEST_F(SqliteTrace, RowsWithTimesThatNoClockShowsAreLeftOutAndCounted) {
    const Trace trace =
        open(std::string(kStrings) + kKernels +
             "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET end = 9000000000000000000 WHERE start = 15;"
             "CREATE TABLE CUDA_GPU_MEMORY_USAGE_EVENTS (start, globalPid, deviceId, bytes, memKind);"
             "INSERT INTO CUDA_GPU_MEMORY_USAGE_EVENTS VALUES (-9000000000000000000, 0, 0, 1, 2)");
    EXPECT_EQ(trace.gpuOps.size(), 1U);
    EXPECT_TRUE(trace.memoryEvents.empty());
    EXPECT_EQ(healthCount(trace, "impossible_time"), 2);
}

TEST_F(SqliteTrace, RowsThatEndBeforeTheyStartAreLeftOutAndCounted) {
    const Trace trace = open(std::string(kStrings) + kKernels +
                             "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET end = 1 WHERE start = 15");
    EXPECT_EQ(trace.gpuOps.size(), 1U);
    EXPECT_EQ(healthCount(trace, "negative_duration"), 1);
}

TEST_F(SqliteTrace, DiagnosticsSayWhyNothingWasCollected) {
    const Trace trace = open(std::string(kStrings) +
                             "CREATE TABLE TARGET_INFO_GPU (id, name, chipName);"
                             "INSERT INTO TARGET_INFO_GPU VALUES (0, 'RTX 3060 ', 'GA106');"
                             "CREATE TABLE DIAGNOSTIC_EVENT (severity, text);"
                             "INSERT INTO DIAGNOSTIC_EVENT VALUES (1, 'started'), (3, 'driver too old')");
    EXPECT_EQ(healthCount(trace, "no_gpu_activity"), 1);
    EXPECT_EQ(healthCount(trace, "nsys_diagnostic"), 1);
    EXPECT_EQ(trace.devices.at(0).name, "RTX 3060");
    EXPECT_EQ(trace.devices.at(0).chip, "GA106");
}

TEST_F(SqliteTrace, ALaunchOfAWholeGraphIsWorkOfUnknownKernels) {
    const Trace trace =
        open(std::string(kStrings) + kLaunches +
             "CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE (start, end, deviceId, streamId, correlationId,"
             " globalPid, graphId, graphExecId);"
             "INSERT INTO CUPTI_ACTIVITY_KIND_GRAPH_TRACE VALUES (10, 30, 0, 7, 1, 167772160, 3, 4)");
    ASSERT_EQ(trace.gpuOps.size(), 1U);
    EXPECT_EQ(trace.text(trace.gpuOps.name[0]), kWholeGraph);
    EXPECT_EQ(trace.gpuOps.inGraph[0], 1);
    EXPECT_EQ(trace.gpuOps.launch[0], 0U);
    const auto devices = breakDownDevices(trace);
    ASSERT_EQ(devices.size(), 1U);
    EXPECT_EQ(devices[0].compute, DurationNs{20});
    const auto tensor = measureTensorTime(trace, judgeKernelNames(trace), DeviceRows(trace)[DeviceIndex{}],
                                          {timeFromNs(0), timeFromNs(99)});
    EXPECT_EQ(tensor.unknown, DurationNs{20});
    EXPECT_EQ(healthCount(trace, "whole_graphs"), 1);
    EXPECT_EQ(healthCount(trace, "no_gpu_activity"), 0);
}

TEST_F(SqliteTrace, WholeGraphsFromOutsideOfTheWindowsAreLeftOut) {
    const std::string graph = "INSERT INTO CUPTI_ACTIVITY_KIND_GRAPH_TRACE (start, end, deviceId, contextId,"
                              " streamId, correlationId, globalPid, graphId) VALUES ";
    const Trace trace =
        open(own(graph + "(10, 15, 0, 1, 7, 1, 167772160, 3), (25, 35, 0, 1, 7, 2, 167772160, 3),"
                         " (30, 40, 0, 1, 7, 3, 167772160, 3), (25, 35, 0, 1, 7, 4, 184549376, 3);"
                         "INSERT INTO TACHO_WINDOWS VALUES (167772160, 20, 30);"));
    ASSERT_EQ(trace.gpuOps.size(), 1U);
    EXPECT_EQ(trace.gpuOps.correlation[0], 2U);
    EXPECT_EQ(healthCount(trace, "whole_graphs"), 1);
}

TEST_F(SqliteTrace, AGraphThatIsStillRecordedAfterItsWindowIsLeftOutThere) {
    const std::string set =
        "INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET (start, end, deviceId, contextId, streamId,"
        " value, bytes, globalPid, graphNodeId) VALUES ";
    const Trace trace =
        open(own(set + "(25, 26, 0, 1, 7, 0, 64, 167772160, 9), (31, 32, 0, 1, 7, 0, 64, 167772160, 9),"
                       " (33, 34, 0, 1, 7, 0, 64, 167772160, NULL);"
                       "INSERT INTO TACHO_WINDOWS VALUES (167772160, 20, 30);"));
    ASSERT_EQ(trace.gpuOps.size(), 2U);
    EXPECT_EQ(toNs(trace.gpuOps.start[0]), 25);
    EXPECT_EQ(toNs(trace.gpuOps.start[1]), 33) << "launched in the window, it only ran late";
}

TEST_F(SqliteTrace, OwnFilesHaveStepsRanksFactsAndHealth) {
    const Trace trace =
        open(own("INSERT INTO TACHO_META VALUES ('end_utc_ns', '5');"
                 "INSERT INTO TACHO_PROCESSES VALUES (167772160, 1, 'python train.py', 0, 9, 2, 2, 4);"
                 "INSERT INTO TACHO_STEPS VALUES (167772160, 167772161, 0, NULL, 10),"
                 " (167772160, 167772161, 1, 10, 20), (167772160, 167772161, 2, 20, 30);"
                 "INSERT INTO TACHO_WINDOWS VALUES (167772160, 20, NULL);"
                 "INSERT INTO TACHO_CALIBRATION VALUES (167772160, 1, 7, 9, 20, 50, 10);"
                 "INSERT INTO TACHO_FRAMEWORK VALUES (167772160, 'torch', '2.11');"
                 "INSERT INTO TACHO_HEALTH VALUES ('data_loss', 'dropped_records', 3, 'dropped', NULL);"));
    EXPECT_EQ(trace.source, Source::Tacho);
    EXPECT_EQ(trace.processes.at(0).rank, 2);
    EXPECT_EQ(trace.processes.at(0).commandLine, "python train.py");
    EXPECT_EQ(trace.processes.at(0).facts.at("torch"), "2.11");
    ASSERT_EQ(trace.steps.size(), 2U); // the first has no known start
    EXPECT_FALSE(trace.steps[0].profiled);
    EXPECT_TRUE(trace.steps[1].profiled);
    EXPECT_EQ(trace.stepSource, StepSource::Optimizer);
    EXPECT_EQ(trace.windows.at(0).process, ProcessIndex{0});
    ASSERT_EQ(trace.calibration.size(), 1U);
    EXPECT_TRUE(trace.calibration[0].profiled);
    EXPECT_EQ(trace.calibration[0].stepLength(), DurationNs{10});
    EXPECT_EQ(healthCount(trace, "dropped_records"), 3);
    EXPECT_EQ(healthCount(trace, "incomplete_file"), 0);
}

TEST_F(SqliteTrace, OwnFilesHaveLoadedCodeAndMemory) {
    const Trace trace = open(
        own("INSERT INTO TACHO_JIT VALUES (167772160, 1, 200, 300, 42, 'ptx_to_cubin', 'compile', 9),"
            " (167772160, 1, 100, 150, 42, NULL, 'cache_load', 9);"
            "INSERT INTO TACHO_MODULES VALUES (167772160, 167772161, 310, 3, 1, 4096, 90);"
            "INSERT INTO CUDA_GPU_MEMORY_USAGE_EVENTS (start, globalPid, deviceId, contextId, bytes, memKind,"
            " memoryOperationType) VALUES (20, 167772160, 1, 1, 64, 2, 1), (10, 167772160, 1, 1, 64, 2, 0);"
            "INSERT INTO TACHO_FRAMEWORK_MEMORY VALUES (167772160, 1, 15, 100, 200, 150);"));
    ASSERT_EQ(trace.jitOperations.size(), 2U);
    EXPECT_EQ(trace.jitOperations[0].kind, JitKind::CacheLoad);
    EXPECT_EQ(trace.jitOperations[1].kind, JitKind::Compile);
    EXPECT_EQ(trace.jitOperations[1].interval, (Interval{timeFromNs(200), timeFromNs(300)}));
    EXPECT_EQ(trace.jitOperations[1].device, 1);
    EXPECT_EQ(trace.modules.at(0).architecture, 90);
    EXPECT_EQ(trace.modules.at(0).codeBytes, 4096);
    ASSERT_EQ(trace.memoryEvents.size(), 2U);
    EXPECT_FALSE(trace.memoryEvents[0].isRelease);
    EXPECT_TRUE(trace.memoryEvents[1].isRelease);
    EXPECT_EQ(trace.memoryEvents[0].kind, MemoryKind::Device);
    EXPECT_EQ(trace.memorySamples.at(0).peakAllocatedBytes, 150);
    EXPECT_TRUE(trace.devices.empty()) << "a GPU that did no work";
}

TEST_F(SqliteTrace, OwnFilesHaveWhatTheCodeOfKernelsDoes) {
    const Trace trace = open(own("INSERT INTO StringIds VALUES (900, 'my_kernel(float*)');"
                                 "INSERT INTO TACHO_KERNEL_CODE VALUES (167772160, 900, 'tf32,fp16');"));
    ASSERT_EQ(trace.kernelCode.size(), 1U);
    EXPECT_EQ(trace.text(trace.kernelCode[0].name), "my_kernel(float*)");
    EXPECT_EQ(trace.text(trace.kernelCode[0].tensorTypes), "tf32,fp16");
}

TEST_F(SqliteTrace, CodeThatTheDriverHadToCompileIsNotedWithTheGpuItWasNotMadeFor) {
    const Trace trace = open(
        own("INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET (start, end, deviceId, contextId, streamId, value, bytes,"
            " globalPid) VALUES (1, 2, 0, 0, 0, 0, 64, 167772160);"
            "INSERT INTO TARGET_INFO_GPU (vmId, id, computeMajor, computeMinor) VALUES (0, 5, 9, 0);"
            "INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES (5, 0, 10, NULL, NULL);"
            "INSERT INTO TACHO_JIT VALUES (167772160, 0, 100, 1600000100, 1, 'ptx_to_cubin', 'compile', 1),"
            " (167772160, 0, 100, 400000100, 2, 'ptx_to_cubin', 'compile', 2),"
            " (167772160, 0, 100, 200, 3, 'ptx_to_cubin', 'cache_store', 2);"));
    EXPECT_EQ(healthCount(trace, "compiled_by_driver"), 2);
    const auto note = std::find_if(trace.health.begin(), trace.health.end(),
                                   [](const HealthNote& each) { return each.code == "compiled_by_driver"; });
    ASSERT_NE(note, trace.health.end());
    EXPECT_EQ(note->severity, Severity::Warning);
    EXPECT_EQ(note->message,
              "the driver compiled 2 modules for 2.0 s: they hold no machine code for sm_90; use "
              "a build that was made for it");
}

TEST_F(SqliteTrace, AStepCountsFromWhereAWindowOpenedOrClosedInIt) {
    const Trace trace = open(own("INSERT INTO TACHO_STEPS VALUES (167772160, 167772161, 1, 100, 200),"
                                 " (167772160, 167772161, 2, 200, 300), (167772160, 167772161, 3, 300, 400);"
                                 "INSERT INTO TACHO_WINDOWS VALUES (167772160, 210, 320);"));
    ASSERT_EQ(trace.steps.size(), 3U);
    EXPECT_FALSE(trace.steps[0].profiled);
    EXPECT_TRUE(trace.steps[1].profiled);
    EXPECT_EQ(trace.steps[1].interval, (Interval{timeFromNs(210), timeFromNs(300)}));
    EXPECT_FALSE(trace.steps[2].profiled);
    EXPECT_EQ(trace.steps[2].interval, (Interval{timeFromNs(320), timeFromNs(400)}));
}

TEST_F(SqliteTrace, StepsBeforeAWindowThatNeverOpenedAreNotProfiled) {
    const Trace trace = open(own("INSERT INTO TACHO_STEPS VALUES (167772160, 167772161, 1, 100, 200);"));
    ASSERT_EQ(trace.steps.size(), 1U);
    EXPECT_FALSE(trace.steps[0].profiled);
}

TEST_F(SqliteTrace, APartialFileOpensAndSaysSo) {
    const Trace trace =
        open(own("INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET (start, end, deviceId, contextId, streamId, value,"
                 " bytes) VALUES (1, 2, 0, 0, 0, 0, 64);"),
             "x.sqlite.partial");
    EXPECT_EQ(trace.gpuOps.size(), 1U);
    EXPECT_EQ(healthCount(trace, "incomplete_file"), 1);
}

TEST_F(SqliteTrace, FilesOfTwoMachinesComeToOneClock) {
    const std::string end =
        "INSERT INTO TACHO_META VALUES ('end_utc_ns', '5');"
        "INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET (start, end, deviceId, contextId, streamId, value, bytes)"
        " VALUES (1000, 1100, 0, 0, 0, 0, 64);";
    (void)open(own(end + "INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES (5000, NULL, NULL, 100)"),
               "a.sqlite");
    (void)open(own(end + "INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES (5000, NULL, NULL, 900)"),
               "b.sqlite");
    const Trace trace = openTrace({path("a.sqlite"), path("b.sqlite")});
    ASSERT_EQ(trace.gpuOps.size(), 2U);
    EXPECT_EQ(toNs(trace.gpuOps.start[0]), 200); // its clock showed 900 when the other's showed 100
    EXPECT_EQ(toNs(trace.gpuOps.start[1]), 1000);
}

} // namespace
} // namespace tacho
