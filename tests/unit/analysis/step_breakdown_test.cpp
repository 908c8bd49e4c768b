// SPDX-License-Identifier: Apache-2.0
#include "analyzer/metrics/step_breakdown.h"

#include "analyzer/metrics/measurements.h"
#include "tests/unit/trace_builder.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

namespace tacho {
namespace {

using test::trace;
using test::TraceBuilder;
using namespace std::chrono_literals;

DurationNs partOf(const StepTime& step, StepClass of) {
    return step.parts[static_cast<std::size_t>(of)];
}

DurationNs sumOf(const StepParts& parts) {
    return std::accumulate(parts.begin(), parts.end(), DurationNs{0});
}

TEST(StepBreakdown, GivesEachNanosecondToOneClass) {
    const Trace t =
        trace()
            .step(0, 0us, 1000us)
            .kernel("ampere_fp16_s16816gemm_fp16", 0us, 300us)
            .kernel("at::native::vectorized_elementwise_kernel", 200us, 200us) // 200 to 300 is hidden
            .kernel("ncclDevKernel_AllReduce", 350us, 150us)
            .copy(CopyKind::HostToDevice, MemoryKind::Pinned, 8, 450us, 150us)
            .kernel("my_kernel", 900us, 100us, 5us)
            .build();
    const Measurements measured = measure(t);
    const StepTime& step = measured.devices.at(0).steps.at(0);
    EXPECT_EQ(partOf(step, StepClass::TensorKernel), 300us);
    EXPECT_EQ(partOf(step, StepClass::OtherKernel), 100us);
    EXPECT_EQ(partOf(step, StepClass::Communication), 100us); // 400 to 500
    EXPECT_EQ(partOf(step, StepClass::HostToDevice), 100us);  // 500 to 600
    EXPECT_EQ(partOf(step, StepClass::UnknownKernel), 100us);
    EXPECT_EQ(partOf(step, stepClassOf(IdleCause::HostLaunch)) +
                  partOf(step, stepClassOf(IdleCause::LaunchLatency)),
              300us);
    EXPECT_EQ(sumOf(step.parts), 1000us);
}

TEST(StepBreakdown, CallsTimeOutsideOfTheRecordedOneNotRecorded) {
    const Trace t = trace()
                        .step(0, 0us, 100us)
                        .step(1, 100us, 100us)
                        .kernel("a", 50us, 10us)
                        .kernel("b", 120us, 30us)
                        .build();
    const auto steps = measure(t).devices.at(0).steps;
    EXPECT_EQ(partOf(steps.at(0), StepClass::NotRecorded), 50us);
    EXPECT_EQ(partOf(steps.at(1), StepClass::NotRecorded), 50us);
}

TEST(StepBreakdown, EachRankHasItsOwnSteps) {
    TraceBuilder builder;
    builder.process(0, 2).step(0, 0us, 100us).kernel("a", 0us, 100us);
    builder.process(1, 2).step(0, 20us, 80us).kernel("a", 0us, 100us);
    const auto devices = measure(builder.build()).devices;
    ASSERT_EQ(devices.size(), 2U);
    EXPECT_EQ(devices[0].steps.at(0).interval.length(), 100us);
    EXPECT_EQ(devices[1].steps.at(0).interval.length(), 80us);
}

/// Of random work, each nanosecond looked at by itself.
TEST(StepBreakdown, AgreesWithCountingNanoseconds) {
    static const std::vector<std::pair<std::string, StepClass>> kKernels = {
        {"ampere_fp16_s16816gemm_fp16", StepClass::TensorKernel},
        {"at::native::elementwise_kernel", StepClass::OtherKernel},
        {"my_kernel", StepClass::UnknownKernel},
        {"ncclDevKernel_AllReduce", StepClass::Communication}};
    std::mt19937 random(7);
    const auto upTo = [&](int limit) { return static_cast<int>(random() % static_cast<unsigned>(limit)); };
    for (int round = 0; round < 50; ++round) {
        constexpr int kEnd = 400;
        std::array<std::size_t, kEnd> expected{}; // lowest class at work; kWork: idle
        constexpr auto kWork = static_cast<std::size_t>(StepClass::FirstIdle);
        expected.fill(kWork);
        TraceBuilder builder;
        const auto occupy = [&](int at, int length, StepClass by) {
            for (int t = at; t < std::min(at + length, kEnd); ++t)
                expected[static_cast<std::size_t>(t)] =
                    std::min(expected[static_cast<std::size_t>(t)], static_cast<std::size_t>(by));
        };
        for (int i = 0; i < 12; ++i) {
            const int at = upTo(kEnd), length = 1 + upTo(40);
            const auto& [name, by] = kKernels[random() % kKernels.size()];
            if (upTo(4) == 0) {
                builder.copy(CopyKind::DeviceToHost, MemoryKind::Pinned, 1, at * 1ns, length * 1ns);
                occupy(at, length, StepClass::DeviceToHost);
            } else {
                builder.kernel(name, at * 1ns, length * 1ns, DurationNs{upTo(30)});
                occupy(at, length, by);
            }
        }
        for (int i = 0; i < 4; ++i)
            builder.step(i, i * 100ns, 100ns);
        const Measurements measured = measure(builder.build());
        for (const StepTime& step : measured.devices.at(0).steps) {
            StepParts counted{};
            for (int t = 0; t < 100; ++t)
                counted[expected[static_cast<std::size_t>(step.index * 100 + t)]] += 1ns;
            for (std::size_t part = 0; part < kWork; ++part)
                EXPECT_EQ(step.parts[part], counted[part]) << nameOf(static_cast<StepClass>(part));
            EXPECT_EQ(sumOf(step.parts), 100ns);
            for (const DurationNs part : step.parts)
                EXPECT_GE(part, 0ns);
        }
    }
}

TEST(StepBreakdown, CallsIdleCausesByTheNamesTheyHaveElsewhere) {
    for (std::size_t cause = 0; cause < kIdleCauses; ++cause)
        EXPECT_EQ(nameOf(stepClassOf(static_cast<IdleCause>(cause))),
                  "idle_" + std::string(nameOf(static_cast<IdleCause>(cause))));
}

} // namespace
} // namespace tacho
