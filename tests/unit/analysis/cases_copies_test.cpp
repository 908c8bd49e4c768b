// SPDX-License-Identifier: Apache-2.0
// Public reports about copies and memory; see diagnosis.h.
#include "tests/unit/analysis/diagnosis.h"

#include <gtest/gtest.h>

namespace tacho {
namespace {

using test::Diagnosis;
using test::kTensorGemm;
using test::trace;
using test::TraceBuilder;
using namespace std::chrono_literals;

// https://github.com/microsoft/onnxruntime/issues/20947
TEST(Cases, Case74_AsynchronousCopiesFromPageableMemoryAreNot) {
    TraceBuilder builder = trace();
    for (int i = 0; i < 10; ++i)
        builder.copy(CopyKind::HostToDevice, MemoryKind::Pageable, 10'000'000, i * 4ms, 1ms)
            .kernel(kTensorGemm, i * 4ms + 1ms, 3ms);
    const Diagnosis diagnosis(builder);
    ASSERT_NE(diagnosis.finding("pageable_copies"), nullptr);
    EXPECT_TRUE(diagnosis.says("pinned")) << diagnosis.everything();
}

// https://github.com/pytorch/pytorch/issues/35901 and https://github.com/deepseek-ai/FlashMLA/issues/87: the
// allocator gives memory back and asks for it again, which waits for the GPU.
TEST(Cases, Case76And77_TheAllocatorStallsTheStep) {
    TraceBuilder builder = trace();
    for (int i = 0; i < 10; ++i)
        builder.kernel(kTensorGemm, i * 10ms, 5ms)
            .call(ApiKind::Free, "cudaFree", i * 10ms + 4ms, 4ms)
            .call(ApiKind::Allocate, "cudaMalloc", i * 10ms + 8ms, 1950us);
    const Diagnosis diagnosis(builder);
    EXPECT_EQ(diagnosis.limit(), Limit::Host) << diagnosis.everything();
    EXPECT_TRUE(diagnosis.says("allocates or frees memory"));
    EXPECT_FALSE(diagnosis.says("Launch less"));
}

} // namespace
} // namespace tacho
