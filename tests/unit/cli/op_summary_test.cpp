// SPDX-License-Identifier: Apache-2.0
#include "analyzer/metrics/op_summary.h"

#include <gmock/gmock.h>

#include <cmath>
#include <map>
#include <random>

namespace tacho {
namespace {

using testing::DoubleNear;
using testing::IsEmpty;

void addOp(Trace& trace, GpuOpKind kind, std::string_view name, std::int64_t lengthNs, std::int64_t bytes = 0,
           CopyKind copyKind = CopyKind::Unknown) {
    auto& ops = trace.gpuOps;
    const TimeNs start = ops.end.empty() ? timeFromNs(0) : ops.end.back();
    ops.start.push_back(start);
    ops.end.push_back(start + DurationNs{lengthNs});
    ops.name.push_back(trace.strings.intern(name));
    ops.kind.push_back(kind);
    ops.sizeBytes.push_back(bytes);
    ops.copyKind.push_back(copyKind);
}

TEST(OpSummary, AnEmptyTraceHasNoRows) {
    const Trace trace;
    EXPECT_THAT(summarizeKernels(trace), IsEmpty());
    EXPECT_THAT(summarizeMemoryTime(trace), IsEmpty());
    EXPECT_THAT(summarizeMemorySize(trace), IsEmpty());
    EXPECT_THAT(summarizeApiCalls(trace), IsEmpty());
}

TEST(OpSummary, KernelsAreGroupedByNameLargestTotalFirst) {
    Trace trace;
    addOp(trace, GpuOpKind::Kernel, "gemm", 100);
    addOp(trace, GpuOpKind::Kernel, "relu", 30);
    addOp(trace, GpuOpKind::Kernel, "gemm", 300);
    addOp(trace, GpuOpKind::Memset, "", 9999, 64);
    const auto kernels = summarizeKernels(trace);
    ASSERT_EQ(kernels.size(), 2U);
    EXPECT_EQ(kernels[0].name, "gemm");
    EXPECT_EQ(kernels[0].count, 2);
    EXPECT_EQ(kernels[0].total, DurationNs{400});
    EXPECT_EQ(kernels[0].min, DurationNs{100});
    EXPECT_EQ(kernels[0].max, DurationNs{300});
    EXPECT_DOUBLE_EQ(kernels[0].mean, 200);
    EXPECT_DOUBLE_EQ(kernels[0].median, 200);
    EXPECT_NEAR(kernels[0].stddev, 141.421356, 1e-6);
    EXPECT_EQ(kernels[1].name, "relu");
    EXPECT_DOUBLE_EQ(kernels[1].stddev, 0);
}

TEST(OpSummary, EqualTotalsComeInOrderOfName) {
    Trace trace;
    addOp(trace, GpuOpKind::Kernel, "zeta", 50);
    addOp(trace, GpuOpKind::Kernel, "alpha", 50);
    const auto kernels = summarizeKernels(trace);
    ASSERT_EQ(kernels.size(), 2U);
    EXPECT_EQ(kernels[0].name, "alpha");
}

TEST(OpSummary, CopiesAreGroupedByDirectionAndSetsAreOneRow) {
    Trace trace;
    addOp(trace, GpuOpKind::Memcpy, "", 10, 1000, CopyKind::HostToDevice);
    addOp(trace, GpuOpKind::Memcpy, "", 20, 500, CopyKind::DeviceToHost);
    addOp(trace, GpuOpKind::Memcpy, "", 30, 2000, CopyKind::HostToDevice);
    addOp(trace, GpuOpKind::Memset, "", 5, 7000);
    const auto times = summarizeMemoryTime(trace);
    ASSERT_EQ(times.size(), 3U);
    EXPECT_EQ(times[0].name, "[CUDA memcpy Host-to-Device]");
    EXPECT_EQ(times[0].total, DurationNs{40});
    const auto sizes = summarizeMemorySize(trace);
    ASSERT_EQ(sizes.size(), 3U);
    EXPECT_EQ(sizes[0].name, "[CUDA memset]");
    EXPECT_EQ(sizes[1].total, 3000);
    EXPECT_EQ(sizes[1].min, 1000);
}

TEST(OpSummary, AnUnknownCopyDirectionStillHasARow) {
    Trace trace;
    addOp(trace, GpuOpKind::Memcpy, "", 10, 1, static_cast<CopyKind>(77));
    ASSERT_EQ(summarizeMemoryTime(trace).size(), 1U);
}

TEST(OpSummary, ApiCallsAreGroupedByName) {
    Trace trace;
    for (const std::int64_t lengthNs : {5, 7, 9}) {
        trace.apiCalls.start.push_back(timeFromNs(1000));
        trace.apiCalls.end.push_back(timeFromNs(1000 + lengthNs));
        trace.apiCalls.name.push_back(trace.strings.intern("cudaLaunchKernel"));
    }
    const auto calls = summarizeApiCalls(trace);
    ASSERT_EQ(calls.size(), 1U);
    EXPECT_EQ(calls[0].count, 3);
    EXPECT_DOUBLE_EQ(calls[0].median, 7);
}

/// Sorts everything and takes the definitions word by word.
TimeSummary bruteForce(const std::string& name, std::vector<std::int64_t> values) {
    std::sort(values.begin(), values.end());
    TimeSummary expected;
    expected.name = name;
    expected.count = static_cast<std::int64_t>(values.size());
    long double sum = 0;
    for (const auto value : values)
        sum += value;
    const long double mean = sum / values.size();
    long double squares = 0;
    for (const auto value : values)
        squares += (value - mean) * (value - mean);
    expected.total = DurationNs{static_cast<std::int64_t>(sum)};
    expected.min = DurationNs{values.front()};
    expected.max = DurationNs{values.back()};
    expected.mean = static_cast<double>(mean);
    const auto half = values.size() / 2;
    expected.median = values.size() % 2 == 1 ? static_cast<double>(values[half])
                                             : static_cast<double>(values[half - 1] + values[half]) / 2;
    expected.stddev = values.size() < 2 ? 0 : static_cast<double>(std::sqrt(squares / (values.size() - 1)));
    return expected;
}

TEST(OpSummary, AgreesWithSortingEverything) {
    std::mt19937 random(20240501);
    for (int round = 0; round < 50; ++round) {
        Trace trace;
        std::map<std::string, std::vector<std::int64_t>> valuesOfName;
        const int ops = std::uniform_int_distribution<int>(1, 300)(random);
        for (int i = 0; i < ops; ++i) {
            const auto name = "k" + std::to_string(std::uniform_int_distribution<int>(0, 9)(random));
            const auto length = std::uniform_int_distribution<std::int64_t>(0, 2'000'000'000)(random);
            addOp(trace, GpuOpKind::Kernel, name, length);
            valuesOfName[name].push_back(length);
        }
        const auto kernels = summarizeKernels(trace);
        ASSERT_EQ(kernels.size(), valuesOfName.size());
        for (const auto& kernel : kernels) {
            const auto expected = bruteForce(kernel.name, valuesOfName.at(kernel.name));
            EXPECT_EQ(kernel.count, expected.count);
            EXPECT_EQ(kernel.total, expected.total);
            EXPECT_EQ(kernel.min, expected.min);
            EXPECT_EQ(kernel.max, expected.max);
            EXPECT_DOUBLE_EQ(kernel.mean, expected.mean);
            EXPECT_DOUBLE_EQ(kernel.median, expected.median);
            EXPECT_THAT(kernel.stddev, DoubleNear(expected.stddev, 1e-9 * (1 + expected.stddev)));
        }
    }
}

} // namespace
} // namespace tacho
