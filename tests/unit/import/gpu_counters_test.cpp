// SPDX-License-Identifier: Apache-2.0
#include "analyzer/import/open_trace.h"
#include "analyzer/import/save_trace.h"
#include "analyzer/sqlite/sqlite.h"
#include "tests/unit/import/temp_files.h"

#include <gmock/gmock.h>

namespace tacho {
namespace {

using testing::ElementsAre;

// Process 10 uses GPU 1 of the machine as its device 0; nobody uses GPU 0.
constexpr const char* kOneOfTwoGpus =
    "CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT);"
    "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (globalPid, deviceId, start, end);"
    "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (167772160, 0, 15, 25);"
    "CREATE TABLE TARGET_INFO_GPU (id, name);"
    "INSERT INTO TARGET_INFO_GPU VALUES (0, 'H200'), (1, 'H200');"
    "CREATE TABLE TARGET_INFO_CUDA_DEVICE (gpuId, cudaId, pid);"
    "INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES (1, 0, 10);"
    "CREATE TABLE TARGET_INFO_GPU_METRICS (typeId, metricId, metricName);"
    "CREATE TABLE GPU_METRICS (timestamp, typeId, metricId, value);";

class GpuCounters : public TempFiles {
  protected:
    Trace open(const std::string& sql) {
        Database(path("x.sqlite"), Database::Mode::Create).execute(kOneOfTwoGpus + sql);
        return openTrace({path("x.sqlite")});
    }
    static std::vector<std::int64_t> times(const CounterSeries& series) {
        std::vector<std::int64_t> all;
        for (const TimeNs time : series.time)
            all.push_back(toNs(time));
        return all;
    }
};

TEST_F(GpuCounters, BelongToTheDeviceOfTheProcessThatUsesTheGpu) {
    const Trace trace =
        open("INSERT INTO TARGET_INFO_GPU_METRICS VALUES (0, 5, 'SM Clock [MHz]'),"
             " (1, 5, 'SM Clock [MHz]');"
             "INSERT INTO GPU_METRICS VALUES (20, 1, 5, 1980.5), (10, 1, 5, 1200), (20, 0, 5, 1)");
    ASSERT_EQ(trace.counters.size(), 1U);
    const CounterSeries& clock = trace.counters[0];
    EXPECT_EQ(clock.name, "SM Clock [MHz]");
    EXPECT_EQ(clock.device, trace.gpuOps.device[0]);
    EXPECT_THAT(times(clock), ElementsAre(10, 20));
    EXPECT_THAT(clock.value, ElementsAre(1200, 1980.5));
}

TEST_F(GpuCounters, TypeIdsOfNsightNameTheGpuInTheirLowestByte) {
    const Trace trace = open(
        "INSERT INTO TARGET_INFO_GPU_METRICS VALUES (72057594037928193, 3, 'Tensor Active [Throughput %]');"
        "INSERT INTO GPU_METRICS VALUES (20, 72057594037928193, 3, 40)");
    ASSERT_EQ(trace.counters.size(), 1U);
    EXPECT_THAT(trace.counters[0].value, ElementsAre(40));
}

TEST_F(GpuCounters, AValueWithoutANameIsLeftOut) {
    EXPECT_TRUE(open("INSERT INTO GPU_METRICS VALUES (20, 1, 3, 40)").counters.empty());
}

TEST_F(GpuCounters, AreKeptByAnImport) {
    saveTrace(open("INSERT INTO TARGET_INFO_GPU_METRICS VALUES (1, 5, 'SM Clock [MHz]');"
                   "INSERT INTO GPU_METRICS VALUES (10, 1, 5, 1200.5)"),
              path("y.sqlite"));
    const Trace again = openTrace({path("y.sqlite")});
    ASSERT_EQ(again.counters.size(), 1U);
    EXPECT_EQ(again.counters[0].name, "SM Clock [MHz]");
    EXPECT_EQ(again.counters[0].device, again.gpuOps.device[0]);
    EXPECT_THAT(times(again.counters[0]), ElementsAre(10));
    EXPECT_THAT(again.counters[0].value, ElementsAre(1200.5));
}

} // namespace
} // namespace tacho
