// SPDX-License-Identifier: Apache-2.0
// Public reports about synchronisation, launches and optimizers; see diagnosis.h.
#include "tests/unit/analysis/diagnosis.h"

#include <gtest/gtest.h>

namespace tacho {
namespace {

using test::addLayers;
using test::Diagnosis;
using test::kAllReduce;
using test::kElementwise;
using test::kTensorGemm;
using test::trace;
using test::TraceBuilder;
using namespace std::chrono_literals;

/// Steps of 10 ms; the host reads `reads` values in each, and after each read is `late` with the next launch.
TraceBuilder reading(int reads, DurationNs late) {
    TraceBuilder builder = trace();
    const DurationNs piece = 10ms / (reads + 1);
    for (int i = 0; i < 10; ++i) {
        builder.step(i, i * 10ms, 10ms);
        for (int part = 0; part <= reads; ++part) {
            const DurationNs at = i * 10ms + part * piece, busy = piece - late;
            builder.kernel(kTensorGemm, at, busy);
            if (part < reads)
                builder.copy(CopyKind::DeviceToHost, MemoryKind::Pageable, 4, at + busy, 2us)
                    .call(ApiKind::Synchronize, "cudaStreamSynchronize", at + 50us, busy - 40us);
        }
    }
    return builder;
}

// https://github.com/openvdb/fvdb-reality-capture/issues/144: ten percent more steps without them.
TEST(Cases, Case58_TwoItemCallsPerStepLetTheGpuRunDry) {
    auto builder = reading(2, 300us);
    const Diagnosis diagnosis(builder);
    const Finding* finding = diagnosis.finding("synchronous_reads");
    ASSERT_NE(finding, nullptr) << diagnosis.everything();
    EXPECT_GT(finding->atMost.share, 0.04);
    EXPECT_TRUE(diagnosis.says(".item()"));
}

// https://github.com/rosinality/style-based-gan-pytorch/issues/50
TEST(Cases, Case59_HostAndGpuWaitForEachOtherInTurns) {
    auto builder = reading(4, 1ms);
    const Diagnosis diagnosis(builder);
    EXPECT_EQ(diagnosis.limit(), Limit::Sync) << diagnosis.everything();
}

// https://github.com/hao-ai-lab/FastVideo/issues/1217: 45 % idle, little of the communication hidden.
TEST(Cases, Case61_ReadsPageableCopiesAndCommunicationAreEachNamed) {
    auto builder = reading(3, 900us);
    for (int i = 0; i < 10; ++i)
        builder.copy(CopyKind::HostToDevice, MemoryKind::Pageable, 1'000'000, 100ms + i * 2ms, 700us)
            .kernel(kAllReduce, 100ms + i * 2ms + 700us, 1300us);
    builder.step(10, 100ms, 20ms);
    const Diagnosis diagnosis(builder);
    for (const char* rule : {"synchronous_reads", "pageable_copies", "exposed_communication"})
        EXPECT_NE(diagnosis.finding(rule), nullptr) << rule << "\n" << diagnosis.everything();
}

// https://github.com/pytorch/pytorch/issues/72511: it "takes" 80 ms, in which the GPU runs the forward pass.
TEST(Cases, Case64_ASynchronizeOverABusyGpuIsNoFinding) {
    TraceBuilder builder = trace();
    for (int i = 0; i < 100; ++i)
        builder.kernel(kTensorGemm, i * 1ms, 1ms, 500us);
    builder.call(ApiKind::Synchronize, "cudaDeviceSynchronize", 10ms, 80ms);
    const Diagnosis diagnosis(builder);
    EXPECT_EQ(diagnosis.limit(), Limit::Healthy) << diagnosis.everything();
    EXPECT_EQ(diagnosis.finding("synchronous_reads"), nullptr);
}

// https://github.com/Lightning-AI/pytorch-lightning/issues/20995: logging waits for the kernels; they are the
// cost.
TEST(Cases, Case65_ALongWaitInLoggingIsTheKernelsTime) {
    TraceBuilder builder = trace();
    for (int i = 0; i < 10; ++i) {
        builder.step(i, i * 20ms, 20ms).range(RangeKind::Nvtx, "log_on_step", i * 20ms + 1ms, 18900us);
        for (int k = 0; k < 20; ++k)
            builder.kernel(kTensorGemm, i * 20ms + k * 1ms, 1ms, 300us);
        builder.call(ApiKind::Synchronize, "cudaStreamSynchronize", i * 20ms + 1ms, 18800us);
    }
    const Diagnosis diagnosis(builder);
    EXPECT_TRUE(diagnosis.limit() == Limit::Compute || diagnosis.limit() == Limit::Healthy)
        << diagnosis.everything();
    EXPECT_EQ(diagnosis.finding("synchronous_reads"), nullptr);
}

/// An optimizer that updates each of 500 parameters by kernels of its own, or all in a few.
TraceBuilder optimizing(bool isFused) {
    TraceBuilder builder = trace();
    builder.fact("torch.version", "2.11.0").fact("optimizer.fused", isFused ? "1" : "0");
    const DurationNs step = isFused ? 20ms : 42ms;
    for (int i = 0; i < 5; ++i) {
        builder.step(i, i * step, step);
        addLayers(builder, kTensorGemm, i * step, 16, 1ms);
        builder.range(RangeKind::Phase, "optimizer", i * step + 16ms, step - 16ms);
        if (isFused)
            addLayers(builder,
                      "void at::native::(anonymous namespace)::multi_tensor_apply_kernel<FusedAdam>(P)",
                      i * step + 16ms, 4, 1ms);
        else
            for (int k = 0; k < 2000; ++k)
                builder.kernel(kElementwise, i * step + 16ms + k * 13us, 2us, 1us);
    }
    return builder;
}

// https://github.com/microsoft/dion/issues/63: 138 ms on the host, 13 on the GPU.
TEST(Cases, Case67_ThousandsOfTinyKernelsInTheOptimizer) {
    auto builder = optimizing(false);
    const Diagnosis diagnosis(builder);
    EXPECT_EQ(diagnosis.limit(), Limit::Host) << diagnosis.everything();
}

// https://github.com/deepmodeling/deepmd-kit/issues/4463: 22 to 8 ms.
TEST(Cases, Case68_AFusedOptimizerIsAdvisedWhereItIsNotUsed) {
    auto loop = optimizing(false);
    auto fused = optimizing(true);
    EXPECT_TRUE(Diagnosis(loop).says("fused=True"));
    const Diagnosis diagnosis(fused);
    EXPECT_EQ(diagnosis.limit(), Limit::Healthy) << diagnosis.everything();
    EXPECT_FALSE(diagnosis.says("fused=True"));
}

// https://github.com/HuguesTHOMAS/KPConv-PyTorch/issues/22: left in from debugging, a quarter of the time.
TEST(Cases, Case62_ASynchronizeWithoutAnyRead) {
    TraceBuilder builder = trace();
    for (int i = 0; i < 10; ++i)
        builder.kernel(kTensorGemm, i * 4ms, 3ms)
            .call(ApiKind::Synchronize, "cudaDeviceSynchronize", i * 4ms + 100us, 2950us);
    const Diagnosis diagnosis(builder);
    const Finding* finding = diagnosis.finding("synchronous_reads");
    ASSERT_NE(finding, nullptr) << diagnosis.everything();
    EXPECT_EQ(finding->severity, FindingSeverity::Critical);
    EXPECT_NE(diagnosis.limit(), Limit::Healthy);
    EXPECT_TRUE(diagnosis.says("torch.cuda.synchronize()"));
    EXPECT_FALSE(diagnosis.says(".item()")) << "nothing is read";
}

// https://github.com/meta-pytorch/MSLK/issues/309 and https://github.com/jax-ml/jax/issues/1797: small sizes.
TEST(Cases, Case71And73_DozensOfLaunchesOfTinyWork) {
    TraceBuilder builder = trace();
    for (int i = 0; i < 400; ++i)
        builder.kernel("wrapped_add", i * 15us, 3us, 2us);
    const Diagnosis diagnosis(builder);
    EXPECT_EQ(diagnosis.limit(), Limit::Host);
    EXPECT_TRUE(diagnosis.says("CUDA graph") && diagnosis.says("JAX: jit")) << diagnosis.everything();
    EXPECT_FALSE(diagnosis.says("pauses"));
}

} // namespace
} // namespace tacho
