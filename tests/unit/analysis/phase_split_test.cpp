// SPDX-License-Identifier: Apache-2.0
#include "analyzer/metrics/measurements.h"
#include "tests/unit/trace_builder.h"

#include <gtest/gtest.h>

namespace tacho {
namespace {

using test::trace;
using namespace std::chrono_literals;

PhaseTime timeOf(const Measurements& measured, Phase phase) {
    return measured.devices.at(0).phases.phases[static_cast<std::size_t>(phase)];
}

TEST(PhaseSplit, WorkBelongsToThePhaseInWhichItWasLaunched) {
    const Measurements measured = measure(trace()
                                              .range(RangeKind::Phase, "forward", 0us, 100us)
                                              .range(RangeKind::Phase, "backward", 100us, 200us)
                                              .range(RangeKind::Phase, "optimizer", 300us, 50us)
                                              .kernel("a", 150us, 30us, 60us) // launched at 85 us
                                              .kernel("b", 200us, 50us)
                                              .kernel("c", 250us, 50us)
                                              .kernel("d", 400us, 10us) // after the optimizer
                                              .build());
    EXPECT_EQ(timeOf(measured, Phase::Forward).gpu, 30us);
    EXPECT_EQ(timeOf(measured, Phase::Backward).gpu, 100us);
    EXPECT_EQ(timeOf(measured, Phase::Backward).gpuOps, 2);
    EXPECT_EQ(timeOf(measured, Phase::Optimizer).gpu, 0us);
    EXPECT_EQ(timeOf(measured, Phase::Optimizer).host, 50us);
    EXPECT_EQ(measured.devices.at(0).phases.other.gpu, 10us);
}

TEST(PhaseSplit, AnInnerPhaseHasTheTimeOfItsOuterOne) {
    const Measurements measured = measure(trace()
                                              .range(RangeKind::Phase, "forward", 0us, 100us)
                                              .range(RangeKind::Phase, "backward", 20us, 30us)
                                              .kernel("a", 5us, 100us, 0us)
                                              .step(0, 0us, 100us)
                                              .build());
    EXPECT_EQ(timeOf(measured, Phase::Forward).host, 70us);
    EXPECT_EQ(timeOf(measured, Phase::Backward).host, 30us);
}

TEST(PhaseSplit, CountsTheHostsTimeInRecordedStepsOnly) {
    const Measurements measured = measure(trace()
                                              .range(RangeKind::Phase, "forward", 0us, 50us)
                                              .step(0, 0us, 100us, false)
                                              .range(RangeKind::Phase, "forward", 100us, 50us)
                                              .step(1, 100us, 100us)
                                              .kernel("a", 110us, 10us)
                                              .build());
    EXPECT_EQ(timeOf(measured, Phase::Forward).host, 50us);
}

TEST(PhaseSplit, KnowsThePhasesOfTheFrameworksProfiler) {
    EXPECT_EQ(phaseOf(RangeKind::Operator, "autograd::engine::evaluate_function: AddmmBackward0"),
              Phase::Backward);
    EXPECT_EQ(phaseOf(RangeKind::Annotation, "Optimizer.step#Adam.step"), Phase::Optimizer);
    EXPECT_EQ(phaseOf(RangeKind::Annotation, "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__"),
              Phase::DataLoader);
    EXPECT_EQ(phaseOf(RangeKind::Nvtx, "Forward"), Phase::Forward);
    EXPECT_EQ(phaseOf(RangeKind::Nvtx, "forward_layer_3"), std::nullopt);
    EXPECT_EQ(phaseOf(RangeKind::Operator, "aten::mm"), std::nullopt);
    EXPECT_EQ(phaseOf(RangeKind::Mark, "forward"), std::nullopt);
}

TEST(PhaseSplit, IsUnknownWithoutMarks) {
    const Measurements measured = measure(trace().kernel("a", 10us, 10us).build());
    EXPECT_FALSE(measured.devices.at(0).phases.isKnown());
    EXPECT_EQ(measured.devices.at(0).phases.other.gpu, 10us);
}

} // namespace
} // namespace tacho
