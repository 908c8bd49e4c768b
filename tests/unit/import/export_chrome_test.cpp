// SPDX-License-Identifier: Apache-2.0
#include "analyzer/import/export_chrome.h"

#include "analyzer/import/open_trace.h"
#include "analyzer/metrics/device_breakdown.h"
#include "tests/unit/import/temp_files.h"
#include "tests/unit/trace_builder.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <tuple>

namespace tacho {
namespace {

using namespace test;

class ExportChrome : public TempFiles {
  protected:
    [[nodiscard]] Trace exportedAndOpened(const Trace& trace, const std::string& name = "x.json") const {
        exportChrome(trace, path(name));
        return openTrace({path(name)});
    }
};

auto gpuWork(const Trace& trace) {
    const GpuOps& ops = trace.gpuOps;
    std::vector<std::tuple<Interval, std::string_view, std::uint32_t, std::uint32_t, GpuOpKind, std::int64_t,
                           CopyKind, MemoryKind, MemoryKind, bool, bool, std::int32_t>>
        rows;
    for (std::size_t i = 0; i < ops.size(); ++i)
        rows.emplace_back(ops.interval(i), trace.text(ops.name[i]), ops.correlation[i], ops.stream[i],
                          ops.kind[i], ops.sizeBytes[i], ops.copyKind[i], ops.srcKind[i], ops.dstKind[i],
                          ops.inGraph[i] != 0, ops.launch[i] != kNoRow,
                          trace.devices[static_cast<std::size_t>(ops.device[i])].id);
    std::sort(rows.begin(), rows.end());
    return rows;
}

auto hostCalls(const Trace& trace) {
    std::vector<std::tuple<Interval, std::string_view, std::uint32_t>> rows;
    for (std::size_t i = 0; i < trace.apiCalls.size(); ++i)
        rows.emplace_back(trace.apiCalls.interval(i), trace.text(trace.apiCalls.name[i]),
                          trace.apiCalls.correlation[i]);
    std::sort(rows.begin(), rows.end());
    return rows;
}

/// Without those that stand for the steps of the hook: stepMarks() compares them.
auto hostRanges(const Trace& trace) {
    std::vector<std::tuple<Interval, std::string_view, bool>> rows;
    for (std::size_t i = 0; i < trace.ranges.size(); ++i)
        if (!trace.text(trace.ranges.name[i]).starts_with("ProfilerStep#"))
            rows.emplace_back(trace.ranges.interval(i), trace.text(trace.ranges.name[i]),
                              trace.ranges.kind[i] == RangeKind::Operator);
    std::sort(rows.begin(), rows.end());
    return rows;
}

auto stepMarks(const Trace& trace) {
    std::vector<std::pair<Interval, std::int64_t>> rows;
    for (const StepMark& step : trace.steps)
        if (step.profiled) // the format has no place for the others
            rows.emplace_back(step.interval, step.index);
    return rows;
}

void expectSame(const Trace& opened, const Trace& original) {
    EXPECT_EQ(gpuWork(opened), gpuWork(original));
    EXPECT_EQ(hostCalls(opened), hostCalls(original));
    EXPECT_EQ(hostRanges(opened), hostRanges(original));
    EXPECT_EQ(stepMarks(opened), stepMarks(original));
    EXPECT_EQ(breakDownDevices(opened), breakDownDevices(original));
}

TEST_F(ExportChrome, SamplesReadTheSame) {
    int samples = 0;
    for (const auto& entry : std::filesystem::directory_iterator(TACHO_SAMPLES)) {
        if (entry.path().extension() != ".sqlite")
            continue;
        SCOPED_TRACE(entry.path());
        const Trace original = openTrace({entry.path().string()});
        expectSame(exportedAndOpened(original, "x.json.gz"), original);
        ++samples;
    }
    EXPECT_GT(samples, 0);
}

TEST_F(ExportChrome, KeepsEachKindOfEventToTheNanosecond) {
    const Trace original = trace()
                               .kernel("gemm", 10'001ns, 5'003ns)
                               .orphanKernel("lost", 30us, 1ns)
                               .copy(CopyKind::HostToDevice, MemoryKind::Pageable, 4096, 50us, 3us)
                               .call(ApiKind::Synchronize, "cudaDeviceSynchronize", 60us, 999ns)
                               .range(RangeKind::Operator, "aten::mm", 1us, 20us)
                               .range(RangeKind::Annotation, "epoch", 0us, 90us)
                               .build();
    expectSame(exportedAndOpened(original), original);
}

TEST_F(ExportChrome, AnyTextGivesValidJson) {
    const std::string valid = "f<\"a\\b\">\n\t\x01 \xc3\xa4";
    exportChrome(trace().kernel(valid, 10us, 5us).kernel("bad \xff\xc3", 20us, 5us).build(), path("x.json"));
    const auto json = nlohmann::json::parse(contentOf(path("x.json")));
    std::vector<std::string> kernels;
    for (const auto& event : json["traceEvents"])
        if (event.value("cat", "") == "kernel")
            kernels.push_back(event["name"]);
    EXPECT_EQ(kernels, (std::vector<std::string>{valid, "bad \xef\xbf\xbd\xef\xbf\xbd"}));
}

TEST_F(ExportChrome, ArrowsLeadFromTheCallToTheWork) {
    exportChrome(trace().kernel("gemm", 10us, 5us).orphanKernel("lost", 30us, 1us).build(), path("x.json"));
    const auto json = nlohmann::json::parse(contentOf(path("x.json")));
    std::string phases;
    for (const auto& event : json["traceEvents"])
        if (event.value("cat", "") == "ac2g")
            phases += event["ph"].get<std::string>();
    EXPECT_EQ(phases, "sf");
}

TEST_F(ExportChrome, AFileThatCannotBeWrittenIsSaidAndLeavesNothing) {
    const Trace original = trace().kernel("gemm", 10us, 5us).build();
    EXPECT_THROW(exportChrome(original, path("no such folder/x.json")), Error);
    std::filesystem::create_symlink("/dev/full", path("full.json.partial")); // as a full disk
    EXPECT_THROW(exportChrome(original, path("full.json")), Error);
    EXPECT_TRUE(std::filesystem::is_empty(folder()));
}

} // namespace
} // namespace tacho
