// SPDX-License-Identifier: Apache-2.0
#include "analyzer/import/open_trace.h"
#include "analyzer/metrics/device_breakdown.h"
#include "tests/unit/import/temp_files.h"

#include <fmt/format.h>

namespace tacho {
namespace {

const std::string kKernel =
    R"({"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 100.5, "dur": 10.25,
    "args": {"device": 0, "stream": 7, "correlation": 5, "grid": [1, 2, 3], "block": [32, 1, 1],
             "registers per thread": 40, "shared memory": 2048}})";
const std::string kLaunch =
    R"({"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 42, "tid": 43,
    "ts": 90, "dur": 3, "args": {"correlation": 5}})";

class KinetoJson : public TempFiles {
  protected:
    static std::string object(const std::string& events, const std::string& keys = "\"schemaVersion\": 1") {
        return fmt::format("{{{}, \"traceEvents\": [{}]}}", keys, events);
    }
    Trace open(const std::string& json) { return openTrace({write("trace.json", json)}); }
};

TEST_F(KinetoJson, KernelsLinkToTheirLaunch) {
    const Trace trace = open(object(kKernel + "," + kLaunch));
    ASSERT_EQ(trace.gpuOps.size(), 1U);
    EXPECT_EQ(trace.source, Source::Kineto);
    EXPECT_EQ(toNs(trace.gpuOps.start[0]), 100'500);
    EXPECT_EQ(toNs(trace.gpuOps.end[0]), 110'750);
    EXPECT_EQ(trace.text(trace.gpuOps.name[0]), "gemm");
    EXPECT_EQ(trace.gpuOps.launch[0], 0U);
    EXPECT_EQ(trace.processes.at(0).pid, 42);
    const LaunchShape shape = trace.launchShapes.at(trace.gpuOps.shape[0]);
    EXPECT_EQ(shape.grid, (std::array<std::int32_t, 3>{1, 2, 3}));
    EXPECT_EQ(shape.registersPerThread, 40);
    EXPECT_EQ(shape.dynamicSharedMemoryBytes, 2048);
}

TEST_F(KinetoJson, GzippedFilesAndListsAsRootReadTheSame) {
    const std::string list = "[" + kKernel + ", " + kLaunch + "]";
    for (const std::string& file :
         {write("a", list), writeGzipped("b", list), writeGzipped("c", object(kKernel))})
        EXPECT_EQ(openTrace({file}).gpuOps.size(), 1U) << file;
}

TEST_F(KinetoJson, CategoriesOf2020ReadAsTodays) {
    const Trace trace = open(R"J([
        {"ph":"X","cat":"Kernel","name":"k","pid":0,"tid":"stream 7","ts":1623143089861302,"dur":5,"args":{"device":0,"stream":7,"correlation":1}},
        {"ph":"X","cat":"Memcpy","name":"Memcpy HtoD (Pageable -> Device)","pid":0,"tid":"stream 7","ts":10,"dur":5,"args":{"device":0,"stream":7,"bytes":64}},
        {"ph":"X","cat":"Memset","name":"Memset (Device)","pid":0,"tid":"stream 7","ts":20,"dur":5,"args":{"device":0,"stream":7,"bytes":8}},
        {"ph":"X","cat":"Runtime","name":"cudaLaunchKernel","pid":1,"tid":"4093687616","ts":1,"dur":1,"args":{"correlation":1}},
        {"ph":"X","cat":"Operator","name":"aten::add","pid":1,"tid":"main thread","ts":1,"dur":4,"args":{}}])J");
    EXPECT_EQ(trace.gpuOps.size(), 3U);
    EXPECT_EQ(trace.gpuOps.copyKind[0], CopyKind::HostToDevice);
    EXPECT_EQ(trace.gpuOps.srcKind[0], MemoryKind::Pageable);
    EXPECT_EQ(trace.gpuOps.dstKind[1], MemoryKind::Device);
    EXPECT_EQ(toNs(trace.gpuOps.start[2]), 1'623'143'089'861'302'000);
    EXPECT_EQ(trace.threads[static_cast<std::size_t>(trace.apiCalls.thread[0])].tid, 4'093'687'616);
    EXPECT_EQ(trace.threads[static_cast<std::size_t>(trace.ranges.thread[0])].name, "main thread");
}

TEST_F(KinetoJson, OnlyTheCategoryMakesGpuWork) {
    const Trace trace = open(object(kKernel + R"(,
        {"ph":"X","cat":"cpu_op","name":"triton_poi","pid":1,"tid":1,"ts":1,"dur":900,"args":{"stream":7,"device":0}},
        {"ph":"X","cat":"gpu_user_annotation","name":"ProfilerStep#1","pid":0,"tid":7,"ts":1,"dur":900,"args":{"device":0,"stream":7}},
        {"ph":"X","cat":"cuda_sync","name":"Stream Sync","pid":0,"tid":7,"ts":1,"dur":900,"args":{"cuda_sync_kind":"Stream Sync","stream":7,"device":0,"correlation":3}})"));
    EXPECT_EQ(trace.gpuOps.size(), 1U);
    EXPECT_EQ(trace.ranges.kind.at(0), RangeKind::Operator);
    EXPECT_EQ(trace.syncs.kind.at(0), SyncKind::Stream);
    EXPECT_TRUE(trace.steps.empty());
}

TEST_F(KinetoJson, ProfilerStepsAreSteps) {
    const Trace trace = open(object(kKernel + R"(,
        {"ph":"X","cat":"user_annotation","name":"ProfilerStep#11","pid":1,"tid":1,"ts":200,"dur":9},
        {"ph":"X","cat":"Operator","name":"ProfilerStep#10","pid":1,"tid":1,"ts":100,"dur":9})"));
    ASSERT_EQ(trace.steps.size(), 2U);
    EXPECT_EQ(trace.steps[0].index, 10);
    EXPECT_EQ(trace.steps[1].index, 11);
    EXPECT_EQ(trace.stepSource, StepSource::Annotation);
    EXPECT_EQ(trace.ranges.kind, (std::vector<RangeKind>{RangeKind::Annotation, RangeKind::Annotation}));
}

TEST_F(KinetoJson, TheBaseTimeIsAddedWhereverItStands) {
    const std::string json = fmt::format(
        R"({{"traceEvents": [{}], "schemaVersion": 1, "baseTimeNanoseconds": 1751410836000000001}})",
        kKernel);
    EXPECT_EQ(toNs(open(json).gpuOps.start.at(0)), 1'751'410'836'000'100'501);
}

TEST_F(KinetoJson, DevicesAndRankComeFromTheTopLevel) {
    const Trace trace =
        open(object(kKernel, R"("distributedInfo": {"backend": "nccl", "rank": 3, "world_size": 8},
        "deviceProperties": [{"id": 0, "name": "NVIDIA H200 ", "totalGlobalMem": 150109880320, "computeMajor": 9,
            "computeMinor": 0, "numSms": 132, "warpSize": 32, "maxThreadsPerMultiprocessor": 2048},
            {"id": 1, "name": "NVIDIA H200"}])"));
    ASSERT_EQ(trace.devices.size(), 1U); // the one that was used
    EXPECT_EQ(trace.devices[0].name, "NVIDIA H200");
    EXPECT_EQ(trace.devices[0].memoryBytes, 150'109'880'320);
    EXPECT_EQ(trace.devices[0].maxWarpsPerSm, 64);
    EXPECT_EQ(trace.processes.at(0).rank, 3);
    EXPECT_EQ(trace.processes.at(0).worldSize, 8);
}

TEST_F(KinetoJson, BrokenEventsAreLeftOutAndCounted) {
    const Trace trace = open(object(kKernel + R"(,
        {"ph":"X","cat":"kernel","name":bad name,"pid":0,"tid":7,"ts":1,"dur":1,"args":{"device":0}},
        {"ph":"X","cat":"kernel","name":"no time","pid":0,"tid":7,"dur":1,"args":{"device":0}},
        {"ph":"X","cat":"kernel","name":"impossible","pid":0,"tid":7,"ts":1,"dur":9e300,"args":{"device":0}},
        {"ph":"X","cat":"kernel","name":"stray " quote","pid":0,"tid":7,"ts":1,"dur":1,
         "args":{"device":0}},
        17,
        )" + kLaunch));
    EXPECT_EQ(trace.gpuOps.size(), 1U);
    EXPECT_EQ(trace.apiCalls.size(), 1U);
    EXPECT_EQ(healthCount(trace, "bad_event"), 5);
}

TEST_F(KinetoJson, EventsThatEndBeforeTheyStartAreLeftOutAndCounted) {
    const Trace trace = open(object(
        kKernel +
        R"(,{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":50,"dur":-1,"args":{"device":0}})"));
    EXPECT_EQ(trace.gpuOps.size(), 1U);
    EXPECT_EQ(healthCount(trace, "negative_duration"), 1);
}

TEST_F(KinetoJson, HugeIntegersAndBareWordsInArgumentsDoNoHarm) {
    const Trace trace = open(object(R"(
        {"ph":"X","cat":"kernel","name":"ncclKernel","pid":0,"tid":7,"ts":1,"dur":1,
         "args":{"device":0,"Comms Id":10159970886766084423,"overlap":N/A,"correlation":5}})"));
    EXPECT_EQ(trace.gpuOps.correlation, std::vector<std::uint32_t>{5});
}

TEST_F(KinetoJson, AnEventLargerThanTheBufferIsRead) {
    const std::string shapes(3 << 20, 'x');
    const Trace trace = open(object(
        fmt::format(
            R"({{"ph":"X","cat":"cpu_op","name":"op","pid":1,"tid":1,"ts":1,"dur":1,"args":{{"Input Dims":"{}"}}}})",
            shapes) +
        "," + kKernel));
    EXPECT_EQ(trace.ranges.size(), 1U);
    EXPECT_EQ(trace.gpuOps.size(), 1U);
}

TEST_F(KinetoJson, ACaptureWithoutGpuWorkSaysWhy) {
    const Trace trace = open(object(kLaunch));
    EXPECT_EQ(healthCount(trace, "no_gpu_activity"), 1);
    EXPECT_TRUE(breakDownDevices(trace).empty());
}

TEST_F(KinetoJson, AFolderIsOneSessionWithAProcessPerRank) {
    for (const char* rank : {"0", "1"})
        writeGzipped(
            fmt::format("rank{}.json.gz", rank),
            object(kKernel, fmt::format(R"("distributedInfo": {{"rank": {}, "world_size": 2}})", rank)));
    write("config.json", R"({"batch": 32})");
    const Trace trace = openTrace({folder()});
    EXPECT_EQ(trace.processes.size(), 2U);
    EXPECT_EQ(trace.files.size(), 2U);
    const auto rows = breakDownDevices(trace);
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[1].rank, 1);
    EXPECT_EQ(healthCount(trace, "file_left_out"), 1);
}

TEST_F(KinetoJson, TwoFilesOfOneRankAreNoted) {
    const std::string json = object(kKernel, R"("distributedInfo": {"rank": 0})");
    EXPECT_EQ(healthCount(openTrace({write("a.json", json), write("b.json", json)}), "rank_twice"), 1);
    EXPECT_EQ(healthCount(openTrace({path("a.json")}), "rank_twice"), 0);
}

TEST_F(KinetoJson, ProgressEndsAtOneAndCanCancel) {
    std::string events = kKernel;
    for (int i = 0; i < 40'000; ++i)
        events += "," + kLaunch;
    const std::string file = write("x.json", object(events));
    double last = -1;
    (void)openTrace({file}, [&](double fraction) {
        EXPECT_GE(fraction, last);
        last = fraction;
    });
    EXPECT_EQ(last, 1.0);
    struct Cancelled {};
    EXPECT_THROW((void)openTrace({file}, [](double) { throw Cancelled(); }), Cancelled);
}

TEST_F(KinetoJson, ModulesAreAnnotationsAndOtherPythonFunctionsAreNotUsed) {
    const Trace trace = open(object(kKernel + "," + kLaunch + R"(,
        {"ph": "X", "cat": "python_function", "name": "nn.Module: Linear_3", "pid": 42, "tid": 43, "ts": 80, "dur": 20,
         "args": {"Python id": 7, "Python parent id": 6, "Python module id": 3}},
        {"ph": "X", "cat": "python_function", "name": "torch/nn/functional.py(1): relu", "pid": 42, "tid": 43,
         "ts": 81, "dur": 10, "args": {"Python id": 8}})"));
    ASSERT_EQ(trace.ranges.size(), 1U);
    EXPECT_EQ(trace.text(trace.ranges.name[0]), "nn.Module: Linear_3");
    EXPECT_EQ(trace.ranges.kind[0], RangeKind::Annotation);
    EXPECT_EQ(trace.ranges.thread[0], trace.apiCalls.thread[0]);
}

} // namespace
} // namespace tacho
