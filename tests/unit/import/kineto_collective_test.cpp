// SPDX-License-Identifier: Apache-2.0
// What PyTorch profiler traces of several years tell of collectives.
#include "analyzer/import/kineto_event.h"
#include "analyzer/import/open_trace.h"
#include "analyzer/import/save_trace.h"
#include "tests/unit/import/temp_files.h"

#include <fmt/format.h>

namespace tacho {
namespace {

class KinetoCollectives : public TempFiles {
  protected:
    std::vector<Collective> of(const std::string& event) {
        m_trace =
            openTrace({write("trace.json", "{\"schemaVersion\": 1, \"traceEvents\": [" + event + "]}")});
        return m_trace.collectives;
    }
    Trace m_trace;
};

TEST_F(KinetoCollectives, KernelOf2024TellsAll) {
    const auto rows = of(R"({"ph": "X", "cat": "kernel", "name": "ncclDevKernel_AllReduce_Sum_f32_RING_LL",
        "pid": 0, "tid": 40, "ts": 100, "dur": 50, "args": {"device": 0, "stream": 40, "correlation": 9,
        "Collective name": "allreduce", "In msg nelems": 1000, "Out msg nelems": 1000, "Group size": 2,
        "dtype": "BFloat16", "Process Group Name": "0", "Process Group Description": "default_pg"}})");
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(rows[0].kind, CollectiveKind::AllReduce);
    EXPECT_EQ(rows[0].source, CollectiveSource::Kernel);
    EXPECT_EQ(rows[0].correlation, 9U);
    EXPECT_EQ(rows[0].bytes, 2000);
    EXPECT_EQ(rows[0].ranks, 2);
    EXPECT_EQ(m_trace.text(rows[0].group), "0 (default_pg)");
}

TEST_F(KinetoCollectives, GatherIsAsLargeAsWhatComesOut) {
    const auto rows = of(R"({"ph": "X", "cat": "cpu_op", "name": "record_param_comms", "pid": 42, "tid": 43,
        "ts": 100, "dur": 50, "args": {"Collective name": "_allgather_base", "In msg nelems": 100,
        "Out msg nelems": 800, "Group size": 8, "dtype": "Float"}})");
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(rows[0].source, CollectiveSource::Call);
    EXPECT_EQ(rows[0].bytes, 3200);
    EXPECT_NE(rows[0].thread, kNoThread);
}

TEST_F(KinetoCollectives, RangeOf2022HasTheSizesOfItsTensors) {
    const auto rows = of(R"({"ph": "X", "cat": "user_annotation", "name": "nccl:all_to_all", "pid": 42,
        "tid": 43, "ts": 100, "dur": 50,
        "args": {"Input Dims": [[8, 1024], [], [2]], "Input type": ["float", "", "c10::Half"]}})");
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(rows[0].source, CollectiveSource::Annotation);
    EXPECT_EQ(rows[0].bytes, 8 * 1024 * 4 + 2 * 2);
    EXPECT_EQ(m_trace.text(rows[0].backend), "nccl");
    EXPECT_EQ(rows[0].ranks, 0);
}

TEST_F(KinetoCollectives, RangeOfGlooIsOneEvenWithoutSizes) {
    const auto rows = of(R"({"ph": "X", "cat": "user_annotation", "name": "gloo:all_reduce", "pid": 42,
        "tid": 43, "ts": 100, "dur": 50, "args": {"External id": 1}})");
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(rows[0].bytes, -1);
    EXPECT_EQ(m_trace.text(rows[0].backend), "gloo");
}

TEST_F(KinetoCollectives, WhatTellsNothingIsNone) {
    EXPECT_TRUE(of(R"({"ph": "X", "cat": "user_annotation", "name": "nccl:all_reduce", "pid": 42, "tid": 43,
        "ts": 100, "dur": 50, "args": {"External id": 1}})")
                    .empty());
    EXPECT_TRUE(of(R"({"ph": "X", "cat": "cpu_op", "name": "record_param_comms", "pid": 42, "tid": 43,
        "ts": 100, "dur": 50, "args": {"Input Dims": [[6144]], "Input type": ["float"]}})")
                    .empty());
    EXPECT_TRUE(of(R"({"ph": "X", "cat": "cpu_op", "name": "record_param_comms", "pid": 42, "tid": 43,
        "ts": 100, "dur": 50, "args": {"Collective name": "wait", "In msg nelems": 0, "dtype": "Int"}})")
                    .empty());
}

TEST_F(KinetoCollectives, ImpossibleSizesAreUnknown) {
    const auto bytesOf = [&](const std::string& elements, const std::string& type) {
        return of(fmt::format(
                      R"({{"ph": "X", "cat": "kernel", "name": "nccl", "pid": 0, "tid": 4, "ts": 1, "dur": 5,
            "args": {{"Collective name": "allreduce", "In msg nelems": {}, "dtype": "{}"}}}})",
                      elements, type))
            .at(0)
            .bytes;
    };
    EXPECT_EQ(bytesOf("9223372036854775807", "Double"), -1);
    EXPECT_EQ(bytesOf("99999999999999999999999", "Double"), -1);
    EXPECT_EQ(bytesOf("-5", "Double"), -1);
    EXPECT_EQ(bytesOf("5", "Quaternion"), -1);
    EXPECT_EQ(bytesOf("5", "Float8_e4m3fn"), 5);
    const auto rows = of(R"({"ph": "X", "cat": "user_annotation", "name": "nccl:all_to_all", "pid": 42,
        "tid": 43, "ts": 100, "dur": 50, "args": {"Input Dims": [[4611686018427387904, 4611686018427387904],
        [3], [3], [3], [3], [3]], "Input type": ["float", "float", "float", "float", "float", "float"]}})");
    EXPECT_EQ(rows.at(0).bytes, 3 * 3 * 4) << "of the first tensors, without the one that cannot be";
}

TEST_F(KinetoCollectives, AreKeptByTheFileOfAnImport) {
    of(R"({"ph": "X", "cat": "kernel", "name": "ncclDevKernel_AllReduce_Sum_f32_RING_LL",
        "pid": 0, "tid": 40, "ts": 100, "dur": 50, "args": {"device": 0, "stream": 40, "correlation": 9,
        "Collective name": "allreduce", "In msg nelems": 1000, "Group size": 2, "dtype": "BFloat16",
        "Process Group Name": "0"}},
        {"ph": "X", "cat": "user_annotation", "name": "gloo:broadcast", "pid": 42, "tid": 43, "ts": 200,
        "dur": 50, "args": {}})");
    const Trace& saved = m_trace;
    saveTrace(saved, path("x.sqlite"));
    const Trace loaded = openTrace({path("x.sqlite")});
    ASSERT_EQ(loaded.collectives.size(), saved.collectives.size());
    for (std::size_t i = 0; i < saved.collectives.size(); ++i) {
        const Collective &before = saved.collectives[i], &after = loaded.collectives[i];
        EXPECT_EQ(after.interval, before.interval);
        EXPECT_EQ(after.kind, before.kind);
        EXPECT_EQ(after.source, before.source);
        EXPECT_EQ(after.correlation, before.correlation);
        EXPECT_EQ(after.ranks, before.ranks);
        EXPECT_EQ(after.bytes, before.bytes);
        EXPECT_EQ(after.thread == kNoThread, before.thread == kNoThread);
        EXPECT_EQ(loaded.text(after.group), saved.text(before.group));
        EXPECT_EQ(loaded.text(after.backend), saved.text(before.backend));
    }
}

} // namespace
} // namespace tacho
