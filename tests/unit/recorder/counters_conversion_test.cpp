// SPDX-License-Identifier: Apache-2.0
// GPU counters, from the spool file of a sampler to the tables.
#include "collector/recorder/recover.h"
#include "collector/recorder/spool_follower.h"
#include "tests/unit/recorder/spool_builder.h"
#include "tests/unit/recorder/trace_queries.h"

#include <gmock/gmock.h>

namespace tacho {
namespace {

namespace fs = std::filesystem;
using spool::RecordType;
using test::SpoolBuilder;
using testing::ElementsAre;
using testing::IsEmpty;

spool::CounterValue counterValue(std::uint32_t gpu, std::uint32_t counter, std::uint64_t timeNs,
                                 double value) {
    spool::CounterValue record{};
    record.gpu = gpu, record.counter = counter, record.timeNs = timeNs, record.value = value;
    return record;
}

/// A process that sees two GPUs and makes a context on the second.
SpoolBuilder processWithGpus() {
    SpoolBuilder builder;
    builder.string(1, "GPU-a").string(2, "GPU-b").string(3, "0000:3b:00.0");
    for (std::uint32_t ordinal = 0; ordinal < 2; ++ordinal) {
        spool::Device device{};
        device.deviceId = ordinal, device.uuid = ordinal + 1, device.busLocation = 3;
        builder.record(RecordType::Device, device);
    }
    spool::Context context{};
    context.deviceId = 1;
    return builder.record(RecordType::Context, context).record(RecordType::Context, context).end(9);
}

class CounterConversion : public testing::Test {
  protected:
    std::vector<std::string> rows(const std::string& sql) {
        if (made.empty())
            made = recover(directory);
        return test::rows(made, sql);
    }
    test::TemporaryFolder folder;
    fs::path directory = test::spoolDirectory(folder);
    fs::path made;
};

TEST_F(CounterConversion, ValuesBelongToTheGpuOfTheirUuid) {
    processWithGpus().write(directory / "5000000-0.spool");
    SpoolBuilder()
        .string(1, "GPU-b")
        .string(2, "SM Clock [MHz]")
        .string(3, "Power [mW]")
        .record(RecordType::CounterValue, counterValue(1, 2, 100, 1980))
        .record(RecordType::CounterValue, counterValue(1, 3, 100, 650.5))
        .record(RecordType::CounterValue, counterValue(1, 2, 200, 1200))
        .write(directory / "counters-nvml.spool");
    EXPECT_THAT(rows("SELECT timestamp||' '||metricName||' '||uuid||' '||value FROM GPU_METRICS "
                     "JOIN TARGET_INFO_GPU_METRICS USING (typeId, metricId) "
                     "JOIN TARGET_INFO_GPU ON id = typeId ORDER BY 1"),
                ElementsAre("100 Power [mW] GPU-b 650.5", "100 SM Clock [MHz] GPU-b 1980",
                            "200 SM Clock [MHz] GPU-b 1200"));
    EXPECT_THAT(rows("SELECT * FROM TACHO_HEALTH"), IsEmpty());
    EXPECT_THAT(rows("SELECT count(*) FROM TACHO_PROCESSES"), ElementsAre("1"));
}

TEST_F(CounterConversion, ValuesOfAGpuThatNobodyNamesAreCounted) {
    SpoolBuilder()
        .string(1, "GPU-x")
        .string(2, "SM Clock [MHz]")
        .record(RecordType::CounterValue, counterValue(1, 2, 100, 1980))
        .record(RecordType::CounterValue, counterValue(1, 2, 200, 1980))
        .write(directory / "counters-nvml.spool");
    EXPECT_THAT(rows("SELECT severity||' '||count FROM TACHO_HEALTH WHERE code = 'counters_of_unknown_gpu'"),
                ElementsAre("data_loss 2"));
}

TEST_F(CounterConversion, TheNotesOfASamplerBecomeHealth) {
    SpoolBuilder()
        .health(spool::Severity::Info, "no_nvml", "the library was not found", 1)
        .write(directory / "counters-nvml.spool");
    EXPECT_THAT(rows("SELECT message FROM TACHO_HEALTH WHERE code = 'no_nvml'"),
                ElementsAre("the library was not found"));
}

TEST_F(CounterConversion, ATornRecordEndsTheValues) {
    processWithGpus().write(directory / "5000000-0.spool");
    SpoolBuilder builder;
    builder.string(1, "GPU-a")
        .string(2, "SM Clock [MHz]")
        .record(RecordType::CounterValue, counterValue(1, 2, 100, 1980));
    SpoolBuilder torn;
    torn.record(RecordType::CounterValue, counterValue(1, 2, 200, 1980));
    builder.raw(torn.bytes().substr(sizeof(spool::FileHeader), 20)).write(directory / "counters-nvml.spool");
    EXPECT_THAT(rows("SELECT timestamp FROM GPU_METRICS"), ElementsAre("100"));
}

TEST_F(CounterConversion, AGpuIsUsedOnceAContextIsMadeOnIt) {
    processWithGpus().write(directory / "5000000-0.spool");
    TraceWriter writer(folder / "other.sqlite", CaptureSession::load(directory));
    SpoolFollower follower(directory, writer);
    follower.poll();
    const auto used = writer.rows().gpus.takeUsed();
    ASSERT_EQ(used.size(), 1U);
    EXPECT_EQ(used[0].uuid, "GPU-b");
    EXPECT_EQ(used[0].busLocation, "0000:3b:00.0");
    EXPECT_THAT(writer.rows().gpus.takeUsed(), IsEmpty());
}

} // namespace
} // namespace tacho
