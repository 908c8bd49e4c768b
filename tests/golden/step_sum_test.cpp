// SPDX-License-Identifier: Apache-2.0
// Of every sample and public trace: the classes of each step add up to it.
#include "analyzer/import/open_trace.h"
#include "analyzer/metrics/measurements.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <numeric>

namespace tacho {
namespace {

namespace fs = std::filesystem;

const fs::path kSource = TACHO_SOURCE_DIR;

/// Returns the number of steps looked at.
std::size_t checkSteps(const Trace& trace) {
    std::size_t count = 0;
    for (const DeviceActivity& activity : measure(trace).devices)
        for (const StepTime& step : activity.steps) {
            ++count;
            EXPECT_EQ(std::accumulate(step.parts.begin(), step.parts.end(), DurationNs{0}),
                      step.interval.length());
            for (std::size_t part = 0; part < kStepClasses; ++part)
                EXPECT_GE(step.parts[part].count(), 0)
                    << nameOf(static_cast<StepClass>(part)) << " of step " << step.index;
        }
    return count;
}

TEST(StepSum, HoldsForEverySample) {
    std::size_t count = 0;
    for (const auto& entry : fs::directory_iterator(kSource / "share/samples"))
        if (entry.path().extension() == ".sqlite")
            count += checkSteps(openTrace({entry.path().string()}));
    EXPECT_GT(count, 0U);
}

TEST(StepSum, HoldsForEveryPublicTrace) {
    const fs::path data = kSource / "../shared/data";
    std::ifstream file(data / "expected/devices.json");
    if (!file)
        GTEST_SKIP() << data << " is not here";
    std::size_t count = 0;
    const auto expected = nlohmann::json::parse(file);
    for (const auto& [name, rows] : expected.items()) {
        SCOPED_TRACE(name);
        count += checkSteps(openTrace({(data / name).string()}));
    }
    EXPECT_GT(count, 50U);
}

} // namespace
} // namespace tacho
