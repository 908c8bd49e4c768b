// SPDX-License-Identifier: Apache-2.0
#include "analyzer/metrics/step_variation.h"

#include "analyzer/model/error.h"
#include "analyzer/report/text_report.h"
#include "tests/unit/trace_builder.h"

#include <gtest/gtest.h>

namespace tacho {
namespace {

using test::trace;
using test::TraceBuilder;
using namespace std::chrono_literals;

/// 20 steps of 10 ms; each fourth loads data for 70 ms more.
Trace oneInFourWaits() {
    TraceBuilder builder = trace();
    DurationNs now{0};
    for (int i = 0; i < 20; ++i) {
        const DurationNs loading = i % 4 == 3 ? 70ms : 1ms;
        builder.range(RangeKind::Phase, "dataloader", now, loading);
        builder.kernel("gemm", now + loading + 10us, 9ms);
        builder.step(i, now, loading + 9ms);
        now += loading + 9ms;
    }
    return builder.kernel("gemm", now + 10us, 1ms).build();
}

TEST(StepVariation, NamesTheStepsThatWaitAndWhatFor) {
    const Trace t = oneInFourWaits();
    const Analysis analysis = analyse(t);
    const StepVariation& variation = analysis.measurements.devices.at(0).variation;
    EXPECT_EQ(variation.slow, (std::vector<std::int64_t>{3, 7, 11, 15, 19}));
    EXPECT_EQ(variation.every, 4);
    EXPECT_EQ(variation.cause, stepClassOf(IdleCause::DataLoading));
    EXPECT_EQ(variation.median, 10ms);
    EXPECT_NEAR(static_cast<double>(variation.growth.count()), 69e6, 1e5);
    EXPECT_NE(textReport(t, analysis).find("5 of 20 steps are slow (one in 4, from step 3)"),
              std::string::npos)
        << textReport(t, analysis);
}

TEST(StepVariation, FindsNoSlowStepInNoise) {
    TraceBuilder builder = trace();
    for (int i = 0; i < 20; ++i)
        builder.kernel("gemm", i * 10ms, 1ms).step(i, i * 10ms, 9ms + (i * 7 % 11) * 90us);
    const Measurements measured = measure(builder.build());
    EXPECT_TRUE(measured.devices.at(0).variation.slow.empty());
}

TEST(StepVariation, FindsNoSlowStepAmongFour) {
    TraceBuilder builder = trace();
    for (int i = 0; i < 4; ++i)
        builder.kernel("gemm", i * 100ms, 1ms).step(i, i * 100ms, i == 2 ? 90ms : 9ms);
    const Measurements measured = measure(builder.build());
    EXPECT_TRUE(measured.devices.at(0).variation.slow.empty());
}

TEST(ChosenSteps, AreAllThatIsAnalysed) {
    const Trace t = oneInFourWaits();
    const Measurements measured = measure(t, StepRange{4, 6});
    EXPECT_EQ(measured.steps.firstSteady, 4);
    EXPECT_EQ(measured.steps.lastSteady, 6);
    EXPECT_EQ(measured.steps.p95, 10ms);
    EXPECT_EQ(measured.devices.at(0).window.length(), 30ms);
    EXPECT_EQ(measured.devices.at(0).launchCount, 3);
}

TEST(ChosenSteps, MustHaveBeenRecorded) {
    EXPECT_THROW((void)measure(oneInFourWaits(), StepRange{100, 200}), Error);
    EXPECT_THROW((void)measure(trace().kernel("a", 0us, 1us).build(), StepRange{0, 1}), Error);
}

} // namespace
} // namespace tacho
