// SPDX-License-Identifier: Apache-2.0
#include "collector/recorder/nvtx_ranges.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace tacho {
namespace {

using spool::NvtxAction;
using testing::ElementsAre;
using testing::UnorderedElementsAre;

class NvtxRangesTest : public testing::Test {
  protected:
    void call(NvtxAction action, std::uint64_t timeNs, std::string_view text = {}) {
        spool::NvtxEvent event{};
        event.action = static_cast<std::uint16_t>(action);
        event.timeNs = timeNs;
        event.threadId = thread;
        event.domain = domain;
        event.rangeId = rangeId;
        ranges.add(event, text);
    }
    void payload(std::uint64_t schema, std::string_view bytes) {
        spool::NvtxPayload payload{};
        payload.threadId = thread;
        payload.schemaId = schema;
        ranges.addPayload(payload, bytes);
    }

    std::vector<std::string> found;
    NvtxRanges ranges{[this](const NvtxRow& row) {
        found.push_back(fmt::format("{} {}-{}{}", row.text, row.begin.timeNs,
                                    row.endNs ? std::to_string(*row.endNs) : "open", row.payload));
    }};
    std::uint32_t thread = 1, domain = 0;
    std::uint64_t rangeId = 0;
};

TEST_F(NvtxRangesTest, NestedRangesEndInnermostFirst) {
    call(NvtxAction::Push, 1, "step");
    call(NvtxAction::Push, 2, "forward");
    call(NvtxAction::Pop, 3);
    call(NvtxAction::Pop, 4);
    EXPECT_THAT(found, ElementsAre("forward 2-3", "step 1-4"));
}

TEST_F(NvtxRangesTest, ThreadsAndDomainsNestOnTheirOwn) {
    call(NvtxAction::Push, 1, "a");
    thread = 2;
    call(NvtxAction::Push, 2, "b");
    thread = 1;
    domain = 5;
    call(NvtxAction::Push, 3, "c");
    domain = 0;
    call(NvtxAction::Pop, 4);
    thread = 2;
    call(NvtxAction::Pop, 5);
    thread = 1;
    domain = 5;
    call(NvtxAction::Pop, 6);
    EXPECT_THAT(found, ElementsAre("a 1-4", "b 2-5", "c 3-6"));
    EXPECT_EQ(ranges.unmatched(), 0U);
}

TEST_F(NvtxRangesTest, APopWithoutAPushIsCounted) {
    call(NvtxAction::Pop, 1);
    call(NvtxAction::Push, 2, "a");
    call(NvtxAction::Pop, 3);
    EXPECT_THAT(found, ElementsAre("a 2-3"));
    EXPECT_EQ(ranges.unmatched(), 1U);
}

TEST_F(NvtxRangesTest, ARangeMayEndOnAnotherThreadAndItsEndMayBeReadFirst) {
    rangeId = 11;
    call(NvtxAction::Start, 1, "a");
    rangeId = 12;
    thread = 2;
    call(NvtxAction::End, 9);
    rangeId = 11;
    call(NvtxAction::End, 5);
    rangeId = 12;
    thread = 1;
    call(NvtxAction::Start, 2, "b");
    ranges.finish();
    EXPECT_THAT(found, ElementsAre("a 1-5", "b 2-9"));
    EXPECT_EQ(ranges.unmatched(), 0U);
}

TEST_F(NvtxRangesTest, WhatIsOpenAtTheEndIsKeptWithoutAnEnd) {
    call(NvtxAction::Push, 1, "step");
    rangeId = 3;
    call(NvtxAction::Start, 2, "epoch");
    call(NvtxAction::Mark, 3, "mark");
    rangeId = 99;
    call(NvtxAction::End, 4);
    ranges.finish();
    EXPECT_THAT(found, UnorderedElementsAre("step 1-open", "epoch 2-open", "mark 3-open"));
    EXPECT_EQ(ranges.unmatched(), 1U);
}

TEST_F(NvtxRangesTest, APayloadGoesToTheEventBeforeItOnTheSameThread) {
    call(NvtxAction::Mark, 1, "mark");
    thread = 2;
    call(NvtxAction::Push, 2, "ncclAllReduce");
    payload(4, "\x01\xff");
    thread = 1;
    payload(3, "A");
    call(NvtxAction::Mark, 3, "bare");
    thread = 2;
    call(NvtxAction::Pop, 4);
    ranges.finish();
    EXPECT_THAT(found, ElementsAre("mark 1-open3:41", "ncclAllReduce 2-44:01ff", "bare 3-open"));
}

} // namespace
} // namespace tacho
