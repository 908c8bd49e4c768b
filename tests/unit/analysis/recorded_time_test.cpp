// SPDX-License-Identifier: Apache-2.0
#include "analyzer/metrics/recorded_time.h"

#include "analyzer/metrics/measurements.h"
#include "tests/unit/trace_builder.h"

#include <gtest/gtest.h>

#include <bitset>
#include <random>

namespace tacho {
namespace {

using test::trace;
using test::TraceBuilder;
using namespace std::chrono_literals;

Interval between(DurationNs start, DurationNs end) {
    return {TimeNs{start}, TimeNs{end}};
}

TEST(RecordedTime, WithoutWindowsIsFromTheFirstToTheLastWork) {
    const Trace t = trace().kernel("a", 100us, 10us).kernel("b", 500us, 10us).build();
    EXPECT_EQ(recordedTime(t).at(0), IntervalSet::unite({between(100us, 510us)}));
}

TEST(RecordedTime, LeavesOutWhatTheGpuDidBetweenWindows) {
    const Trace t = trace()
                        .window(0us, 100us)
                        .window(1000us, 100us)
                        .kernel("a", 30us, 10us)
                        .kernel("late", 120us, 10us, 50us)
                        .kernel("a", 1030us, 10us)
                        .kernel("a", 1090us, 5us)
                        .build();
    EXPECT_EQ(recordedTime(t).at(0), IntervalSet::unite({between(30us, 130us), between(1030us, 1095us)}));
    const DeviceBreakdown row = breakDownDevices(t).at(0);
    EXPECT_EQ(row.span, 165us);
    EXPECT_EQ(row.idle, 130us);
}

// Seen on an H200: other threads launch while the recorder's thread opens a window.
TEST(RecordedTime, WorkIssuedWhileAWindowOpensBelongsToIt) {
    const Trace t = trace()
                        .window(0us, 100us)
                        .window(1000us, 100us)
                        .kernel("a", 30us, 10us)
                        .kernel("early", 990us, 10us)
                        .kernel("a", 1030us, 10us)
                        .build();
    EXPECT_EQ(recordedTime(t).at(0), IntervalSet::unite({between(30us, 40us), between(990us, 1040us)}));
}

TEST(RecordedTime, EachProcessHasItsOwnWindows) {
    TraceBuilder builder = trace();
    builder.process(0, 2).window(0us, 100us).window(1000us, 100us);
    builder.kernel("a", 30us, 10us).kernel("a", 1030us, 10us);
    builder.process(1, 2).kernel("a", 30us, 10us).kernel("a", 1030us, 10us);
    const auto recorded = recordedTime(builder.build());
    EXPECT_EQ(recorded.at(0).totalLength(), 20us);
    EXPECT_EQ(recorded.at(1).totalLength(), 1010us);
}

/// One bit per microsecond: when was the GPU recorded, and when did it work?
constexpr int kMicroseconds = 1000;
struct GpuModel {
    std::bitset<kMicroseconds> recorded, busy;
};

/// Windows of 100 us, every 250 us; work issued in a window may run until the next opens.
GpuModel addRandomWork(TraceBuilder& builder, std::mt19937& random) {
    const auto upTo = [&](int most) { return std::uniform_int_distribution<>(0, most)(random); };
    GpuModel model;
    for (int window = 0; window < kMicroseconds; window += 250) {
        builder.window(DurationNs{window * 1us}, 100us);
        int first = kMicroseconds, last = 0;
        for (int i = upTo(6); i > 0; --i) {
            const int issue = window + upTo(98), start = issue + 5 + upTo(90), length = upTo(30);
            builder.kernel("k" + std::to_string(i % 3), start * 1us, length * 1us, (start - issue - 5) * 1us);
            first = std::min(first, start);
            last = std::max(last, start + length);
            for (int time = start; time < start + length; ++time)
                model.busy.set(static_cast<std::size_t>(time));
        }
        for (int time = first; time < last; ++time)
            model.recorded.set(static_cast<std::size_t>(time));
    }
    return model;
}

/// Whatever was recorded, and whichever steps are analysed: the parts of the time are those of the model.
TEST(RecordedTime, PartsAddUpToItWithGaps) {
    std::mt19937 random(11);
    for (int round = 0; round < 300; ++round) {
        SCOPED_TRACE(round);
        TraceBuilder builder = trace();
        const GpuModel model = addRandomWork(builder, random);
        if (model.busy.none())
            continue;
        for (int step = 0; step < 10; ++step)
            builder.step(step, step * 100us, step < round % 4 ? 300us : 100us, step * 100 % 250 < 100);
        const Trace t = builder.build();
        for (const DeviceActivity& device : measure(t).devices) {
            EXPECT_EQ(device.whole.span, model.recorded.count() * 1us);
            EXPECT_EQ(device.wholeIdle.total(), (model.recorded & ~model.busy).count() * 1us);
            GpuModel analysed;
            for (DurationNs time = device.window.start.time_since_epoch();
                 time < device.window.end.time_since_epoch(); time += 1us)
                analysed.recorded.set(static_cast<std::size_t>(time / 1us));
            EXPECT_EQ(device.steady.span, (model.recorded & analysed.recorded).count() * 1us);
            EXPECT_EQ(device.idle.total(), (model.recorded & analysed.recorded & ~model.busy).count() * 1us);
            EXPECT_EQ(device.steady.compute + device.idle.total(), device.steady.span);
        }
    }
}

} // namespace
} // namespace tacho
