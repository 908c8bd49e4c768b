// SPDX-License-Identifier: Apache-2.0
#include "analyzer/report/json_report.h"
#include "analyzer/report/text_report.h"
#include "analyzer/report/time_split.h"
#include "tests/unit/trace_builder.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <numeric>

namespace tacho {
namespace {

using test::trace;
using test::TraceBuilder;
using namespace std::chrono_literals;

/// Everything at once: eight ranks with all five defects and many health notes.
TraceBuilder crowded() {
    TraceBuilder builder = trace();
    for (int rank = 0; rank < 8; ++rank) {
        builder.process(rank, 8);
        for (int i = 0; i < 20; ++i) {
            const DurationNs at = i * 10ms;
            builder.copy(CopyKind::HostToDevice, MemoryKind::Pageable, 1'000'000, at, 1ms)
                .kernel("ampere_sgemm_128x64_nn", at + 1500us, 2ms, 2us)
                .call(ApiKind::Synchronize, "cudaStreamSynchronize", at + 2ms, 2ms)
                .kernel("ncclKernel_AllReduce_RING_LL_Sum_float", at + 6ms, 2ms, 2us);
        }
    }
    for (int i = 0; i < 9; ++i)
        builder.health(Severity::DataLoss, "dropped_records", "Some records were dropped.");
    return builder;
}

std::string textOf(TraceBuilder builder) {
    const Trace t = builder.build();
    return textReport(t, analyse(t));
}

TEST(TextReport, FitsOneScreenWhateverHappened) {
    const Trace t = crowded().build();
    for (const int width : {80, 100}) {
        const std::string text = textReport(t, analyse(t), {.width = width});
        EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 24) << text;
        std::istringstream lines(text);
        for (std::string line; std::getline(lines, line);)
            EXPECT_LE(line.size(), static_cast<std::size_t>(width)) << line;
    }
}

TEST(TextReport, SaysOnceWhyThereIsNoGpuActivity) {
    TraceBuilder builder = trace();
    builder.health(Severity::Error, "no_gpu_activity", "run.sqlite: no CUDA calls were recorded");
    const std::string text = textOf(std::move(builder));
    const auto first = text.find("run.sqlite");
    ASSERT_NE(first, std::string::npos);
    EXPECT_EQ(text.find("run.sqlite", first + 1), std::string::npos) << text;
}

TEST(TextReport, BeginsWithTheVerdict) {
    EXPECT_TRUE(textOf(crowded()).starts_with("verdict   "));
}

TEST(TextReport, IsPlainUnlessColourIsAskedFor) {
    const Trace t = crowded().build();
    const Analysis analysis = analyse(t);
    EXPECT_EQ(textReport(t, analysis).find('\x1b'), std::string::npos);
    EXPECT_NE(textReport(t, analysis, {.useColour = true}).find('\x1b'), std::string::npos);
}

TEST(TextReport, ShowsLossOfData) {
    EXPECT_NE(textOf(crowded()).find("Some records were dropped."), std::string::npos);
}

TraceBuilder withBlocks(DurationNs recordedStep) {
    TraceBuilder builder = trace();
    builder.kernel("a", 0ms, 1ms).kernel("a", 450ms, 1ms);
    for (int step = 10; step < 20; ++step)
        builder.step(step, (step - 10) * 100ms, 100ms, step % 2 == 0);
    for (int block = 0; block < 9; ++block)
        builder.block(10, block * 1000ms, 90ms + block * 1ms, false)
            .block(15, block * 1000ms + 500ms, recordedStep, true);
    return builder;
}

TEST(TextReport, SaysWhatRecordingCosts) {
    const std::string text = textOf(withBlocks(114ms));
    EXPECT_NE(text.find("10 (annotation), 5 of steps 10 to 18 analysed: median 100.0 ms, p95 100.0 ms;"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("unprofiled median 94.0 ms (92.0 to 96.0 ms), recording adds 21 %"),
              std::string::npos)
        << text;
    EXPECT_NE(textOf(withBlocks(93ms)).find("recording adds nothing that shows"), std::string::npos);
}

TEST(TimeSplit, AddsUpToTheWindow) {
    const Trace t = crowded().build();
    for (const DeviceActivity& activity : analyse(t).measurements.devices) {
        const TimeSplit split = splitTime(activity);
        EXPECT_EQ(std::accumulate(split.begin(), split.end(), DurationNs{0}), activity.window.length());
    }
}

TEST(JsonReport, HasTheKeysOthersRelyOn) {
    const Trace t = crowded().build();
    const auto json = nlohmann::json::parse(jsonReport(t, analyse(t)));
    EXPECT_EQ(json.at("tacho").at("report_format"), 1);
    EXPECT_EQ(json.at("capture").at("processes"), 8);
    EXPECT_EQ(json.at("verdict").at("limit"), "sync");
    EXPECT_TRUE(json.at("steps").at("unprofiled_median_ns").is_null());
    const auto& device = json.at("devices").at(0);
    for (const char* key :
         {"device", "process", "rank", "events", "span_ns", "busy_ns", "idle_ns", "compute_ns",
          "communication_ns", "communication_exposed_ns", "memory_ns", "h2d_ns", "d2h_ns", "h2d_bytes",
          "d2h_bytes", "pageable_copies", "tensor_ns", "not_tensor_ns", "unknown_ns"})
        EXPECT_TRUE(device.at(key).is_number_integer()) << key;
    std::int64_t idle = 0;
    for (const auto& [cause, ns] : device.at("idle_by_cause").items())
        idle += ns.get<std::int64_t>();
    EXPECT_EQ(idle, device.at("idle_ns"));
    for (const auto& finding : json.at("findings")) {
        EXPECT_TRUE(finding.at("predicted").is_null());
        EXPECT_TRUE(finding.at("abstained").is_string());
        EXPECT_TRUE(finding.at("evidence").contains("at_most_ns"));
    }
}

TEST(JsonReport, OfAnEmptyTraceHasNoNumbersToMisread) {
    const Trace t = trace().build();
    const auto json = nlohmann::json::parse(jsonReport(t, analyse(t)));
    EXPECT_EQ(json.at("verdict").at("limit"), "no_gpu_activity");
    EXPECT_TRUE(json.at("devices").empty());
    EXPECT_TRUE(json.at("findings").empty());
}

TEST(JsonReport, HasTheCalibrationOrNull) {
    const Trace t = withBlocks(114ms).build();
    const auto steps = nlohmann::json::parse(jsonReport(t, analyse(t))).at("steps");
    EXPECT_EQ(steps.at("unprofiled_median_ns"), 94'000'000);
    const auto& calibration = steps.at("calibration");
    EXPECT_EQ(calibration.at("unprofiled_q1_ns"), 92'000'000);
    EXPECT_EQ(calibration.at("blocks"), 9);
    EXPECT_NEAR(calibration.at("added_share").get<double>(), 0.2128, 1e-4);
    const Trace without = trace().step(0, 0ms, 1ms).build();
    EXPECT_TRUE(
        nlohmann::json::parse(jsonReport(without, analyse(without))).at("steps").at("calibration").is_null());
}

TEST(JsonReport, SurvivesNamesThatAreNotUtf8) {
    const Trace t = trace().kernel("sgemm_\xff\xfe", 0us, 10us).build();
    EXPECT_TRUE(nlohmann::json::accept(jsonReport(t, analyse(t))));
}

} // namespace
} // namespace tacho
