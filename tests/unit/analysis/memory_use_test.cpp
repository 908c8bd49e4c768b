// SPDX-License-Identifier: Apache-2.0
#include "analyzer/metrics/memory_use.h"

#include "analyzer/report/analysis.h"
#include "analyzer/report/json_report.h"
#include "analyzer/report/text_report.h"
#include "tests/unit/trace_builder.h"

#include <gmock/gmock.h>

namespace tacho {
namespace {

using test::trace;
using test::TraceBuilder;
using testing::HasSubstr;
using testing::Not;
using namespace std::chrono_literals;

constexpr std::int64_t kGigabyte = 1'000'000'000;

MemoryUse useOf(TraceBuilder& builder) {
    return measureMemory(builder.build(), DeviceIndex{}, {timeFromNs(0), timeFromNs(0) + 1s});
}

TEST(MemoryUse, PeaksAreTheHighestOfSamplesAndFacts) {
    TraceBuilder builder = trace();
    builder.memorySample(1, 5, 7, 10ms).memorySample(2, 4, 6, 20ms);
    builder.fact("memory.device", "0")
        .fact("memory.total_bytes", "100")
        .fact("memory.peak_reserved_bytes", "9");
    const MemoryUse use = useOf(builder);
    EXPECT_EQ(use.peakAllocatedBytes, 7);
    EXPECT_EQ(use.peakReservedBytes, 9);
    EXPECT_EQ(use.totalBytes, 100);
}

TEST(MemoryUse, FactsOfAnotherDeviceAreNotTaken) {
    TraceBuilder builder = trace();
    builder.fact("memory.device", "1").fact("memory.peak_reserved_bytes", "9");
    EXPECT_EQ(useOf(builder).peakReservedBytes, 0);
}

TEST(MemoryUse, WhatCudaHoldsIsWhatWasAllocatedAndNotYetFreed) {
    TraceBuilder builder = trace();
    builder.memoryEvent(100, 1ms).memoryEvent(50, 2ms).memoryEvent(-100, 3ms).memoryEvent(60, 4ms);
    EXPECT_EQ(useOf(builder).peakCudaBytes, 150);
}

TEST(MemoryUse, AReleaseOfWhatWasAllocatedBeforeRecordingIsNoNegativeMemory) {
    TraceBuilder builder = trace();
    builder.memoryEvent(-100, 1ms).memoryEvent(50, 2ms);
    EXPECT_EQ(useOf(builder).peakCudaBytes, 50);
}

TEST(MemoryUse, CallsThatAllocateOrFreeInTheWindowAreCountedButThoseOfPoolsAreNot) {
    TraceBuilder builder = trace();
    builder.call(ApiKind::Allocate, "cudaMalloc", 10ms, 2ms)
        .call(ApiKind::Free, "cudaFree", 20ms, 3ms)
        .call(ApiKind::Allocate, "cudaMallocAsync", 30ms, 1ms)
        .call(ApiKind::Free, "cudaFree", 999ms, 5ms)
        .call(ApiKind::Free, "cudaFree", 1001ms, 5ms);
    const MemoryUse use = useOf(builder);
    EXPECT_EQ(use.calls, 3);
    EXPECT_EQ(use.callTime, 6ms);
}

TEST(MemoryUse, IsALineOfTheReport) {
    TraceBuilder builder = trace();
    builder.kernel("k", 0ms, 100ms).memorySample(kGigabyte, 12 * kGigabyte, 10 * kGigabyte, 10ms);
    builder.call(ApiKind::Free, "cudaFree", 50ms, 5ms);
    const Trace known = builder.build();
    EXPECT_THAT(
        textReport(known, analyse(known)),
        HasSubstr(
            "memory    peak 10.0 GB in tensors, 12.0 GB reserved; allocating and freeing (1 call) takes"));
    EXPECT_THAT(jsonReport(known, analyse(known)), HasSubstr("\"peak_reserved_bytes\": 12000000000"));
    const Trace unknown = trace().kernel("k", 0ms, 100ms).build();
    EXPECT_THAT(textReport(unknown, analyse(unknown)), Not(HasSubstr("memory    ")));
    EXPECT_THAT(jsonReport(unknown, analyse(unknown)), HasSubstr("\"peak_reserved_bytes\": null"));
}

} // namespace
} // namespace tacho
