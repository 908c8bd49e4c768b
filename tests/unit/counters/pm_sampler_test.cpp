// SPDX-License-Identifier: Apache-2.0
#include "collector/counters/pm_sampler.h"

#include "tests/unit/counters/counter_spool.h"
#include "tests/unit/counters/fake_pm_api.h"
#include "tests/unit/temporary_folder.h"

#include <gmock/gmock.h>

namespace tacho {
namespace {

using test::played;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

constexpr const char* kUuid = "GPU-00000000-0000-0000-0000-000000000000";
constexpr const char* kSmMetric = "sm__cycles_active.avg.pct_of_peak_sustained_elapsed";
constexpr const char* kTensorMetric =
    "sm__pipe_tensor_cycles_active_realtime.avg.pct_of_peak_sustained_elapsed";
const std::string kSmAt = std::string(kUuid) + " SMs Active [Throughput %] @";

class PmSampling : public testing::Test {
  protected:
    PmSampling() { played = {}; }
    /// What is in the log after the GPU was watched and has made its samples.
    std::vector<std::string> lines(std::vector<std::uint64_t> samples = {}, const std::string& uuid = kUuid) {
        {
            PmSampler sampler(log, test::fakePmApi);
            sampler.watch({uuid, ""});
            played.pending = std::move(samples);
            sampler.sample(0);
            sampler.finish();
        }
        EXPECT_EQ(played.evaluators, 0);
        EXPECT_EQ(played.sessions, 0);
        log.flush();
        return test::counterLines(folder / "counters-cupti.spool");
    }
    /// The GPU has only the counter of its SMs.
    void reduceToSms() {
        played.lacking = {kTensorMetric,
                          "dram__read_throughput.avg.pct_of_peak_sustained_elapsed",
                          "dram__write_throughput.avg.pct_of_peak_sustained_elapsed",
                          "pcie__read_bytes.sum.per_second",
                          "pcie__write_bytes.sum.per_second",
                          "nvlrx__bytes.sum.per_second",
                          "nvltx__bytes.sum.per_second"};
    }
    test::TemporaryFolder folder;
    CounterLog log{folder / "counters-cupti.spool"};
};

TEST_F(PmSampling, EverySampleButTheFirstIsWritten) {
    const auto all = lines({100, 200, 300});
    EXPECT_THAT(all, SizeIs(2 * 8));
    EXPECT_EQ(all[0], kSmAt + "200 = 200");
    EXPECT_THAT(all, Contains(std::string(kUuid) + " NVLink TX [bytes/s] @300 = 300"));
    EXPECT_THAT(all, Not(Contains(HasSubstr("@100"))));
}

TEST_F(PmSampling, ManySamplesAreDecodedInParts) {
    reduceToSms();
    played.samplesPerDecode = 2;
    EXPECT_THAT(lines({1, 2, 3, 4, 5}), SizeIs(1 + 4));
}

// The reason why SM counters once gave no samples: they were asked for together with those of NVLink, on a
// GPU without links.
TEST_F(PmSampling, ACounterThatTheGpuLacksDoesNotSilenceTheOthers) {
    played.lacking = {"nvlrx__bytes.sum.per_second", "nvltx__bytes.sum.per_second"};
    const auto all = lines({100, 200});
    EXPECT_TRUE(played.hadAvailability);
    EXPECT_EQ(all[0], "counters_left_out: " + std::string(kUuid) +
                          " does not have these counters: NVLink RX [bytes/s], NVLink TX [bytes/s]");
    EXPECT_THAT(all, SizeIs(1 + 6));
}

TEST_F(PmSampling, WithoutPermissionOneNoteSaysWhatToDo) {
    played.ofAvailability = CUPTI_ERROR_INSUFFICIENT_PRIVILEGES;
    EXPECT_THAT(lines(), ElementsAre(HasSubstr("NVreg_RestrictProfilingToAdminUsers=0")));
}

TEST_F(PmSampling, AnotherReaderOfTheCountersIsNamed) {
    played.ofEnable = CUPTI_ERROR_HARDWARE_BUSY;
    EXPECT_THAT(lines(), ElementsAre(HasSubstr("dcgmi profile --pause")));
}

TEST_F(PmSampling, AnErrorHasCuptisWords) {
    played.ofDecode = CUPTI_ERROR_UNKNOWN;
    EXPECT_THAT(lines({100, 200}), ElementsAre(HasSubstr("CUPTI_ERROR_PLAYED")));
}

TEST_F(PmSampling, NoSampleAtAllIsANote) {
    played.isComplete = false;
    EXPECT_THAT(lines({100, 200}), ElementsAre(HasSubstr("gave no samples")));
}

TEST_F(PmSampling, LostSamplesAreTold) {
    played.hasOverflown = true;
    EXPECT_THAT(lines({100, 200}), Contains(HasSubstr("counters_lost")));
}

TEST_F(PmSampling, AGpuThatTheRecorderDoesNotSeeIsANote) {
    EXPECT_THAT(lines({}, "GPU-other"), ElementsAre(HasSubstr("no_counters: GPU counters of GPU-other")));
}

TEST_F(PmSampling, GpusWithoutATimeTriggerAreSampledByTheirClock) {
    played.hasTimeTrigger = false;
    EXPECT_THAT(lines({100, 200}), SizeIs(8));
    EXPECT_EQ(played.interval, 1'400'000U);
}

TEST_F(PmSampling, LongRecordingsHaveMeansOfEverMoreSamples) {
    reduceToSms();
    std::vector<std::uint64_t> samples(1 + 30'000 + 4);
    for (std::size_t i = 0; i < samples.size(); ++i)
        samples[i] = i;
    const auto all = lines(samples);
    EXPECT_THAT(all, SizeIs(1 + 30'000 + 2));
    EXPECT_EQ(all[30'000], kSmAt + "30000 = 30000");
    EXPECT_EQ(all[30'001], kSmAt + "30002 = 30001.5");
    EXPECT_EQ(all[30'002], kSmAt + "30004 = 30003.5");
}

} // namespace
} // namespace tacho
