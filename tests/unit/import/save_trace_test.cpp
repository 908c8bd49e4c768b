// SPDX-License-Identifier: Apache-2.0
#include "analyzer/import/save_trace.h"

#include "analyzer/import/open_trace.h"
#include "analyzer/metrics/device_breakdown.h"
#include "analyzer/model/trace_tables.h"
#include "analyzer/sqlite/sqlite.h"
#include "tests/unit/import/temp_files.h"

#include <random>
#include <tuple>

namespace tacho {
namespace {

class SaveTrace : public TempFiles {};

class RandomTrace {
  public:
    explicit RandomTrace(std::uint64_t seed) : m_engine(seed) {}

    Trace make() {
        for (int i = 0; i < 3; ++i) {
            Process& process = m_trace.processes.emplace_back();
            process.pid = i < 2 ? 1 : 70'000; // two containers, both with pid 1
            process.rank = i;
            process.name = "python";
            process.facts["torch"] = "2.11";
            const auto index = static_cast<ProcessIndex>(i);
            m_trace.threads.push_back({index, 100 + i, "main"});
            m_trace.threads.push_back({index, 4'093'687'616, ""}); // does not fit in the file's ids
            Device& device = m_trace.devices.emplace_back();
            device.process = index;
            device.id = i;
            device.name = "H200";
        }
        m_trace.launchShapes.push_back({{1, 2, 3}, {4, 5, 6}, 32, 0, 1024});
        for (int i = 0; i < 300; ++i)
            addRow(below(5));
        m_trace.stepSource = StepSource::Annotation;
        completeTables(m_trace);
        return std::move(m_trace);
    }

  private:
    std::int64_t below(std::int64_t limit) {
        return std::uniform_int_distribution<std::int64_t>(0, limit - 1)(m_engine);
    }
    Interval interval() {
        const std::int64_t start = 1'790'857'026'000'000'000 + below(10'000);
        return {timeFromNs(start), timeFromNs(start + below(500))};
    }
    StringId text(const char* prefix) { return m_trace.strings.intern(prefix + std::to_string(below(9))); }

    void addRow(std::int64_t table) {
        const auto thread = static_cast<ThreadIndex>(below(6));
        switch (table) {
        case 0:
            return addGpuOp();
        case 1:
            return append(m_trace.apiCalls, {interval(), text("cudaLaunchKernel"), thread, correlation()});
        case 2:
            return append(m_trace.ranges,
                          {interval(), text("range"), text("domain"), thread, RangeKind::Nvtx});
        case 3:
            return append(m_trace.ranges, {interval(), text("op"), StringId{}, thread,
                                           below(2) ? RangeKind::Operator : RangeKind::Annotation});
        default:
            m_trace.steps.push_back(
                {m_trace.threads[static_cast<std::size_t>(thread)].process, thread, below(99), interval()});
        }
    }
    std::uint32_t correlation() { return static_cast<std::uint32_t>(1 + below(200)); }
    void addGpuOp() {
        GpuOpRow row;
        row.interval = interval();
        row.device = static_cast<DeviceIndex>(below(3));
        row.correlation = correlation();
        row.stream = static_cast<std::uint32_t>(below(3));
        row.kind = static_cast<GpuOpKind>(below(3));
        row.inGraph = below(2) == 1;
        if (row.kind == GpuOpKind::Kernel) {
            row.name = below(3) ? text("void ns::gemm<1>(int)") : text("ncclKernel");
            row.shape = below(2) ? 0 : kNoRow;
        } else {
            row.sizeBytes = below(1'000'000'000'000);
            row.copyKind =
                row.kind == GpuOpKind::Memcpy ? static_cast<CopyKind>(below(11)) : CopyKind::Unknown;
            row.srcKind =
                row.kind == GpuOpKind::Memcpy ? static_cast<MemoryKind>(below(8)) : MemoryKind::Unknown;
            row.dstKind = static_cast<MemoryKind>(below(8));
        }
        append(m_trace.gpuOps, row);
    }

    std::mt19937_64 m_engine;
    Trace m_trace;
};

/// Without what a file may renumber: order of processes, thread ids.
std::vector<std::tuple<std::optional<int>, int, DeviceBreakdown>> deviceRows(const Trace& trace) {
    std::vector<std::tuple<std::optional<int>, int, DeviceBreakdown>> rows;
    for (DeviceBreakdown row : breakDownDevices(trace)) {
        const int id = trace.devices[static_cast<std::size_t>(row.device)].id;
        row.device = {};
        row.process = {};
        rows.emplace_back(row.rank, id, row);
    }
    return rows;
}

std::optional<int> rankOf(const Trace& trace, ThreadIndex thread) {
    return trace.processes[static_cast<std::size_t>(trace.threads[static_cast<std::size_t>(thread)].process)]
        .rank;
}

auto callRows(const Trace& trace) {
    std::vector<std::tuple<Interval, std::string_view, std::optional<int>, std::uint32_t, ApiKind>> rows;
    for (std::size_t i = 0; i < trace.apiCalls.size(); ++i)
        rows.emplace_back(trace.apiCalls.interval(i), trace.text(trace.apiCalls.name[i]),
                          rankOf(trace, trace.apiCalls.thread[i]), trace.apiCalls.correlation[i],
                          trace.apiCalls.kind[i]);
    std::sort(rows.begin(), rows.end());
    return rows;
}

auto rangeRows(const Trace& trace) {
    std::vector<std::tuple<Interval, std::string_view, std::string_view, std::optional<int>, RangeKind>> rows;
    for (std::size_t i = 0; i < trace.ranges.size(); ++i)
        rows.emplace_back(trace.ranges.interval(i), trace.text(trace.ranges.name[i]),
                          trace.text(trace.ranges.domain[i]), rankOf(trace, trace.ranges.thread[i]),
                          trace.ranges.kind[i]);
    std::sort(rows.begin(), rows.end());
    return rows;
}

auto stepRows(const Trace& trace) {
    std::vector<std::tuple<Interval, std::int64_t, std::optional<int>, bool>> rows;
    for (const StepMark& step : trace.steps)
        rows.emplace_back(step.interval, step.index, rankOf(trace, step.thread), step.profiled);
    std::sort(rows.begin(), rows.end());
    return rows;
}

auto windowRows(const Trace& trace) {
    std::vector<std::tuple<std::optional<int>, Interval>> rows;
    for (const RecordedWindow& window : trace.windows)
        rows.emplace_back(trace.processes[static_cast<std::size_t>(window.process)].rank, window.interval);
    return rows;
}

auto calibrationRows(const Trace& trace) {
    std::vector<std::tuple<std::optional<int>, bool, std::int64_t, std::int64_t, Interval>> rows;
    for (const CalibrationBlock& block : trace.calibration)
        rows.emplace_back(trace.processes[static_cast<std::size_t>(block.process)].rank, block.profiled,
                          block.firstStep, block.lastStep, block.interval);
    return rows;
}

auto gpuRows(const Trace& trace) {
    const GpuOps& ops = trace.gpuOps;
    std::vector<std::tuple<Interval, std::string_view, std::uint32_t, std::uint32_t, GpuOpKind, LaunchShape,
                           std::int64_t, CopyKind, MemoryKind, MemoryKind, bool, bool>>
        rows;
    for (std::size_t i = 0; i < ops.size(); ++i)
        rows.emplace_back(
            ops.interval(i), trace.text(ops.name[i]), ops.correlation[i], ops.stream[i], ops.kind[i],
            ops.shape[i] == kNoRow ? LaunchShape{} : trace.launchShapes[ops.shape[i]], ops.sizeBytes[i],
            ops.copyKind[i], ops.srcKind[i], ops.dstKind[i], ops.inGraph[i] != 0, ops.launch[i] != kNoRow);
    std::sort(rows.begin(), rows.end());
    return rows;
}

TEST_F(SaveTrace, WhatIsLoadedEqualsWhatWasSaved) {
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        SCOPED_TRACE(seed);
        const Trace saved = RandomTrace(seed).make();
        saveTrace(saved, path("x.sqlite"));
        const Trace loaded = openTrace({path("x.sqlite")});
        EXPECT_EQ(deviceRows(loaded), deviceRows(saved));
        EXPECT_EQ(gpuRows(loaded), gpuRows(saved));
        EXPECT_EQ(callRows(loaded), callRows(saved));
        EXPECT_EQ(rangeRows(loaded), rangeRows(saved));
        EXPECT_EQ(stepRows(loaded), stepRows(saved));
        EXPECT_EQ(loaded.stepSource, StepSource::Annotation);
        EXPECT_EQ(loaded.processes.size(), 3U);
        EXPECT_TRUE(loaded.health.empty()) << loaded.health.front().message;
    }
}

TEST_F(SaveTrace, KeepsFactsNamesAndDevices) {
    const Trace saved = RandomTrace(1).make();
    saveTrace(saved, path("x.sqlite"));
    const Trace loaded = openTrace({path("x.sqlite")});
    EXPECT_EQ(loaded.processes.at(0).name, "python");
    EXPECT_EQ(loaded.processes.at(0).facts.at("torch"), "2.11");
    EXPECT_EQ(loaded.devices.at(0).name, "H200");
    EXPECT_TRUE(std::any_of(loaded.threads.begin(), loaded.threads.end(),
                            [](const Thread& thread) { return thread.name == "main" && thread.tid == 100; }));
}

TEST_F(SaveTrace, WindowsStayWithTheirProcess) {
    Trace saved = RandomTrace(1).make();
    saved.windows = {{ProcessIndex{1}, {timeFromNs(10), timeFromNs(20)}},
                     {ProcessIndex{1}, {timeFromNs(30), TimeNs::max()}},
                     {ProcessIndex{2}, {timeFromNs(5), timeFromNs(25)}}};
    saved.calibration = {{ProcessIndex{1}, false, 10, 14, {timeFromNs(100), timeFromNs(601)}},
                         {ProcessIndex{2}, true, 15, 17, {timeFromNs(90), timeFromNs(95)}}};
    saveTrace(saved, path("x.sqlite"));
    const Trace loaded = openTrace({path("x.sqlite")});
    EXPECT_EQ(windowRows(loaded), windowRows(saved));
    EXPECT_EQ(calibrationRows(loaded), calibrationRows(saved));
}

TEST_F(SaveTrace, AWholeGraphStaysOne) {
    Trace saved;
    saved.processes.emplace_back();
    saved.devices.emplace_back();
    GpuOpRow graph;
    graph.interval = {timeFromNs(10), timeFromNs(30)};
    graph.name = saved.strings.intern(kWholeGraph);
    graph.inGraph = true;
    append(saved.gpuOps, graph);
    completeTables(saved);
    saveTrace(saved, path("x.sqlite"));
    const Trace loaded = openTrace({path("x.sqlite")});
    EXPECT_EQ(gpuRows(loaded), gpuRows(saved));
    EXPECT_TRUE(loaded.health.empty()) << loaded.health.front().message;
    const Database db(path("x.sqlite"), Database::Mode::ReadOnly);
    Statement kernels(db, "SELECT count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL");
    ASSERT_TRUE(kernels.step());
    EXPECT_EQ(kernels.integer(0), 0);
}

TEST_F(SaveTrace, WhatTheCodeOfKernelsDoesIsKept) {
    Trace saved;
    saved.processes.emplace_back().pid = 7;
    saved.kernelCode.push_back(
        {ProcessIndex{}, saved.strings.intern("my_kernel"), saved.strings.intern("fp16,int8")});
    saveTrace(saved, path("x.sqlite"));
    const Trace loaded = openTrace({path("x.sqlite")});
    ASSERT_EQ(loaded.kernelCode.size(), 1U);
    EXPECT_EQ(loaded.text(loaded.kernelCode[0].name), "my_kernel");
    EXPECT_EQ(loaded.text(loaded.kernelCode[0].tensorTypes), "fp16,int8");
}

TEST_F(SaveTrace, MemoryEventsAreKept) {
    Trace saved;
    saved.processes.emplace_back().pid = 7;
    saved.memoryEvents.push_back({ProcessIndex{}, 1, MemoryKind::Device, false, 64, timeFromNs(10)});
    saved.memoryEvents.push_back({ProcessIndex{}, 1, MemoryKind::Pinned, true, 32, timeFromNs(20)});
    saveTrace(saved, path("x.sqlite"));
    const Trace loaded = openTrace({path("x.sqlite")});
    ASSERT_EQ(loaded.memoryEvents.size(), 2U);
    EXPECT_EQ(loaded.memoryEvents[0].bytes, 64);
    EXPECT_EQ(loaded.memoryEvents[0].kind, MemoryKind::Device);
    EXPECT_EQ(loaded.memoryEvents[0].device, 1);
    EXPECT_FALSE(loaded.memoryEvents[0].isRelease);
    EXPECT_TRUE(loaded.memoryEvents[1].isRelease);
    EXPECT_EQ(loaded.memoryEvents[1].time, timeFromNs(20));
    EXPECT_EQ(loaded.processes.at(0).pid, 7);
}

TEST_F(SaveTrace, AFolderThatIsNotThereIsOneSentence) {
    try {
        saveTrace(Trace(), path("missing/x.sqlite"));
        FAIL();
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("missing/x.sqlite"), std::string::npos) << error.what();
        EXPECT_EQ(error.status(), ExitStatus::InputUnusable);
    }
}

TEST_F(SaveTrace, HealthIsKept) {
    Trace trace;
    trace.health.push_back({Severity::DataLoss, "dropped_records", 7, "7 records were dropped"});
    saveTrace(trace, path("x.sqlite"));
    const Trace loaded = openTrace({path("x.sqlite")});
    EXPECT_EQ(healthCount(loaded, "dropped_records"), 7);
}

} // namespace
} // namespace tacho
