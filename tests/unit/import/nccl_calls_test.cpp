// SPDX-License-Identifier: Apache-2.0
#include "analyzer/import/nccl_calls.h"
#include "tests/unit/trace_builder.h"

#include <gtest/gtest.h>

namespace tacho {
namespace {

using namespace std::chrono_literals;

constexpr ThreadIndex kMain{0};

Interval at(DurationNs start, DurationNs length) {
    return {TimeNs{start}, TimeNs{start + length}};
}

std::vector<Collective> rowsOf(NcclCalls& calls, int worldSize, Trace& trace) {
    trace = test::trace().process(0, worldSize).build();
    calls.appendTo(trace);
    return trace.collectives;
}

/// Payloads as NCCL 2.28.9 passes them.
constexpr const char* kAllReduceOf8MB = "16777221:c590d3e2cfb12b95002080000000000000000000a97f0000";
constexpr const char* kAllGatherOf8B = "16777220:c590d3e2cfb12b950800000000000000";

TEST(NcclCalls, PayloadTellsSizeAndCommunicator) {
    NcclCalls calls;
    calls.add(kMain, "ncclAllReduce", at(10us, 5us), kAllReduceOf8MB);
    Trace trace;
    const auto rows = rowsOf(calls, 2, trace);
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(rows[0].kind, CollectiveKind::AllReduce);
    EXPECT_EQ(rows[0].bytes, 8'396'800);
    EXPECT_EQ(trace.text(rows[0].group), "952bb1cfe2d390c5");
    EXPECT_EQ(rows[0].ranks, 0) << "one of two ranks was recorded: the communicator may be of fewer";
    EXPECT_EQ(rows[0].interval, at(10us, 5us));
}

TEST(NcclCalls, PayloadBeforeNccl224HasNoCommunicator) {
    NcclCalls calls;
    calls.add(kMain, "ncclAllReduce", at(10us, 5us), "16777221:00208000000000000000000000000000");
    calls.add(kMain, "ncclAllGather", at(20us, 5us), "16777220:0800000000000000");
    Trace trace;
    const auto rows = rowsOf(calls, 2, trace);
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0].bytes, 8'396'800);
    EXPECT_EQ(rows[0].group, StringId{});
    EXPECT_EQ(rows[1].bytes, -1) << "the part of one of an unknown number of ranks";
}

TEST(NcclCalls, SizeOfAGatherIsThatOfAllRanks) {
    NcclCalls calls;
    calls.add(kMain, "ncclAllGather", at(10us, 5us), kAllGatherOf8B);
    Trace trace;
    const auto rows = rowsOf(calls, 1, trace);
    EXPECT_EQ(rows.at(0).bytes, 8);
    EXPECT_EQ(rows.at(0).ranks, 1);
}

TEST(NcclCalls, CallsOfAGroupLastUntilItsEndLaunchesThem) {
    NcclCalls calls;
    calls.add(kMain, "ncclGroupEnd", at(40us, 30us), "");
    calls.add(kMain, "ncclGroupStart", at(10us, 1us), "");
    calls.add(kMain, "ncclAllReduce", at(20us, 1us), kAllReduceOf8MB);
    calls.add(kMain, "ncclAllReduce", at(90us, 1us), kAllReduceOf8MB);
    Trace trace;
    const auto rows = rowsOf(calls, 1, trace);
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0].interval, at(20us, 50us));
    EXPECT_EQ(rows[1].interval, at(90us, 1us)) << "after the group";
}

TEST(NcclCalls, SendsAndReceivesOfAGroupAreOneExchange) {
    const char* const send = "16777225:c590d3e2cfb12b9500040000000000000100000000000000"; // 1024 bytes
    const char* const receive = "16777226:c590d3e2cfb12b9500020000000000000100000000000000";
    NcclCalls calls;
    calls.add(kMain, "ncclGroupStart", at(10us, 1us), "");
    for (const DurationNs time : {20us, 30us}) {
        calls.add(kMain, "ncclSend", at(time, 1us), send);
        calls.add(kMain, "ncclRecv", at(time + 2us, 1us), receive);
    }
    calls.add(kMain, "ncclGroupEnd", at(40us, 10us), "");
    Trace trace;
    const auto rows = rowsOf(calls, 1, trace);
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(rows[0].kind, CollectiveKind::SendReceive);
    EXPECT_EQ(rows[0].bytes, 2048);
}

TEST(NcclCalls, BrokenPayloadLeavesTheSizeUnknown) {
    for (const char* const payload : {"", "1", "1:", "1:c590d3e2cfb12b95zz2080000000000000000000a97f0000",
                                      "1:c590", ":", "1:c590d3e2cfb12b95 "}) {
        NcclCalls calls;
        calls.add(kMain, "ncclAllReduce", at(10us, 5us), payload);
        Trace trace;
        EXPECT_EQ(rowsOf(calls, 1, trace).at(0).bytes, -1) << payload;
    }
}

TEST(NcclCalls, OtherCallsOfNcclAreNoCollectives) {
    NcclCalls calls;
    calls.add(kMain, "ncclCommInitRankConfig", at(10us, 5us), "");
    Trace trace;
    EXPECT_TRUE(rowsOf(calls, 1, trace).empty());
}

} // namespace
} // namespace tacho
