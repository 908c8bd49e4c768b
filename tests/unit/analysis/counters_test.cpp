// SPDX-License-Identifier: Apache-2.0
// GPU counters, from the trace to the reports.
#include "analyzer/report/counter_text.h"
#include "analyzer/report/json_report.h"
#include "analyzer/report/text_report.h"
#include "tests/unit/trace_builder.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace tacho {
namespace {

using test::trace;
using test::TraceBuilder;
using testing::HasSubstr;
using testing::Not;
using namespace std::chrono_literals;

/// A GPU that works from 10 to 20 ms.
TraceBuilder worked() {
    TraceBuilder builder = trace();
    builder.kernel("gemm", 10ms, 10ms);
    return builder;
}

CounterSummary summaryOf(TraceBuilder& builder) {
    return summariseCounters(builder.build(), DeviceIndex{0}, {TimeNs{10ms}, TimeNs{20ms}});
}

std::string lineOf(TraceBuilder& builder) {
    return countersText(measure(builder.build()));
}

TEST(CounterSummary, OfAWindowHasTheMedianInItAndThePeakOfAll) {
    const CounterSummary summary = summaryOf(worked()
                                                 .counter("Memory Used [bytes]", 1ms, 900)
                                                 .counter("Memory Used [bytes]", 11ms, 100)
                                                 .counter("Memory Used [bytes]", 12ms, 300)
                                                 .counter("Memory Used [bytes]", 13ms, 200)
                                                 .counter("Memory Used [bytes]", 30ms, 5));
    const CounterFigures* memory = summary.find("Memory Used [bytes]");
    ASSERT_NE(memory, nullptr);
    EXPECT_EQ(memory->samples, 3U);
    EXPECT_EQ(memory->median, 200);
    EXPECT_EQ(memory->highest, 900);
}

TEST(CounterSummary, ACounterWithoutSamplesInTheWindowIsLeftOut) {
    EXPECT_TRUE(summaryOf(worked().counter("SM Clock [MHz]", 1ms, 1980)).counters.empty());
}

TEST(CounterSummary, OnlyReasonsThatHoldTheClockBackAreThrottling) {
    constexpr const char* kMask = "Throttle Reasons [mask]";
    constexpr double kIdle = 0x1, kClockSetting = 0x2, kPowerLimit = 0x4, kHeat = 0x40;
    EXPECT_EQ(summaryOf(worked().counter("SM Clock [MHz]", 11ms, 1980)).throttled, std::nullopt);
    EXPECT_EQ(summaryOf(worked().counter(kMask, 11ms, kIdle).counter(kMask, 12ms, kClockSetting)).throttled,
              0);
    const CounterSummary summary = summaryOf(worked()
                                                 .counter(kMask, 11ms, 0)
                                                 .counter(kMask, 12ms, kPowerLimit)
                                                 .counter(kMask, 13ms, kPowerLimit + kHeat)
                                                 .counter(kMask, 14ms, 0));
    EXPECT_EQ(summary.throttled, 0.5);
    EXPECT_EQ(summary.throttleReason, "power limit");
}

TEST(CounterReport, WithoutCountersThereIsNoLine) {
    const Trace t = worked().build();
    EXPECT_THAT(textReport(t, analyse(t)), Not(HasSubstr("counters")));
    EXPECT_FALSE(nlohmann::json::parse(jsonReport(t, analyse(t))).at("devices").at(0).contains("counters"));
}

TEST(CounterReport, OneLineSaysHowTheGpuFared) {
    EXPECT_EQ(lineOf(worked()
                         .counter("SM Clock [MHz]", 12ms, 1980)
                         .counter("Power [mW]", 12ms, 650'400)
                         .counter("Throttle Reasons [mask]", 12ms, 0x4)
                         .counter("Memory Used [bytes]", 12ms, 41.2e9)
                         .counter("SMs Active [Throughput %]", 12ms, 61.7)),
              "SM active 62 %, SM clock 1980 MHz, power 650 W, throttled 100 % of the time (power limit), "
              "memory peak 41.2 GB");
}

TEST(CounterReport, SeveralGpusGiveARange) {
    TraceBuilder builder = trace();
    for (int rank = 0; rank < 2; ++rank)
        builder.process(rank, 2)
            .kernel("gemm", 10ms, 10ms)
            .counter("SM Clock [MHz]", 12ms, rank == 0 ? 1980 : 1410)
            .counter("Throttle Reasons [mask]", 12ms, rank == 0 ? 0 : 0x40);
    EXPECT_EQ(lineOf(builder), "SM clock 1410 to 1980 MHz, throttled 100 % of the time (heat)");
}

TEST(CounterReport, JsonHasTheFiguresOfEveryCounter) {
    const Trace t =
        worked().counter("SM Clock [MHz]", 12ms, 1980).counter("Throttle Reasons [mask]", 12ms, 0).build();
    const auto device = nlohmann::json::parse(jsonReport(t, analyse(t))).at("devices").at(0);
    EXPECT_EQ(device.at("counters"),
              nlohmann::json::parse(
                  R"([{"name": "SM Clock [MHz]", "samples": 1, "median": 1980.0, "highest": 1980.0}])"));
    EXPECT_EQ(device.at("throttled_share"), 0.0);
}

} // namespace
} // namespace tacho
