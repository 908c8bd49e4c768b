// SPDX-License-Identifier: Apache-2.0
#include "analyzer/metrics/kernel_bounds.h"
#include "tests/unit/trace_builder.h"

#include <gtest/gtest.h>

namespace tacho {
namespace {

using namespace std::chrono_literals;

constexpr const char* kRead = "DRAM Read Bandwidth [Throughput %]";
constexpr const char* kWrite = "DRAM Write Bandwidth [Throughput %]";
constexpr const char* kTensor = "Tensor Active [Throughput %]";

void sample(test::TraceBuilder& builder, DurationNs at, double read, double write, double tensor) {
    builder.counter(kRead, at, read).counter(kWrite, at, write).counter(kTensor, at, tensor);
}

TEST(KernelBounds, AreToldBySamplesInsideOfAKernel) {
    test::TraceBuilder builder;
    builder.kernel("copy", 1ms, 4ms).kernel("gemm", 6ms, 3ms).kernel("small", 9100us, 100us);
    for (int ms = 0; ms <= 9; ++ms) {
        const bool inCopy = ms > 1 && ms <= 5, inGemm = ms > 6;
        sample(builder, ms * 1ms, inCopy ? 40 : 10, inCopy ? 45 : 5, inGemm ? 80 : 0);
    }
    const Trace trace = builder.build();
    const auto kernels = sampledKernels(trace);
    ASSERT_EQ(kernels.size(), 2U) << "one is shorter than a sample";
    EXPECT_EQ(trace.text(kernels[0].name), "copy");
    EXPECT_EQ(kernels[0].samples, 4);
    EXPECT_DOUBLE_EQ(kernels[0].dram, 85);
    EXPECT_EQ(kernels[0].bound(), KernelBound::Memory);
    EXPECT_EQ(kernels[1].samples, 3);
    EXPECT_EQ(kernels[1].bound(), KernelBound::Compute);
}

TEST(KernelBounds, SamplesOfKernelsSideBySideTellOfNeither) {
    test::TraceBuilder builder;
    builder.kernel("one", 1ms, 4ms).kernel("other", 2ms, 6ms).kernel("third", 7ms, 2ms);
    for (int ms = 0; ms <= 9; ++ms)
        sample(builder, ms * 1ms, 40, 45, 0);
    EXPECT_TRUE(sampledKernels(builder.build()).empty());
}

TEST(KernelBounds, AreUnknownWithoutCounters) {
    EXPECT_TRUE(sampledKernels(test::trace().kernel("gemm", 1ms, 4ms).build()).empty());
    test::TraceBuilder builder;
    builder.kernel("gemm", 1ms, 4ms).counter(kRead, 1ms, 5).counter(kRead, 2ms, 5);
    EXPECT_TRUE(sampledKernels(builder.build()).empty()) << "one counter of three";
}

TEST(KernelBounds, LittleOfBothIsNeither) {
    EXPECT_EQ((SampledKernel{DeviceIndex{}, StringId{}, 1, 30, 30}.bound()), KernelBound::Neither);
}

} // namespace
} // namespace tacho
