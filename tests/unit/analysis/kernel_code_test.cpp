// SPDX-License-Identifier: Apache-2.0
// The class of kernels whose machine code was read.
#include "analyzer/metrics/kernel_code.h"

#include "analyzer/metrics/device_rows.h"
#include "analyzer/metrics/kernel_times.h"
#include "analyzer/report/event_tables.h"
#include "tests/unit/trace_builder.h"

#include <gtest/gtest.h>

namespace tacho {
namespace {

using namespace test;
using enum TensorClass;

KernelKind kindOf(const Trace& trace) {
    return judgeKernelNames(trace)[static_cast<std::size_t>(trace.gpuOps.name.at(0))];
}

/// A kernel of that name whose code has these tensor-core instructions.
KernelKind kindOf(const std::string& name, const std::string& types) {
    return kindOf(trace().kernel(name, 10us, 5us).kernelCode(name, types).build());
}

TEST(KernelCode, TellsTheClassWhereTheNameDoesNot) {
    EXPECT_EQ(kindOf("my_matmul", "fp16").use, (TensorUse{Tensor, MathMode::Fp16}));
    EXPECT_EQ(kindOf("my_matmul", "none").use, (TensorUse{NotTensor, MathMode::None}));
    EXPECT_EQ(kindOf("my_matmul", "fp16,int8").use, (TensorUse{Tensor, MathMode::Mixed}));
    EXPECT_EQ(kindOf("my_matmul", "other").use, (TensorUse{Tensor, MathMode::Mixed}));
    EXPECT_TRUE(kindOf("my_matmul", "fp16").isFromCode);
}

TEST(KernelCode, LeavesTheClassUnknownWhereItCannotTell) {
    for (const char* types : {"unknown", "none,fp16", "none,unknown", "", "of_a_newer_tacho,fp16"}) {
        EXPECT_EQ(kindOf("my_matmul", types).use, TensorUse{}) << types;
        EXPECT_EQ(kindOf("ampere_sgemm_128x64_nn", types).use, (TensorUse{NotTensor, MathMode::Fp32}))
            << types;
        EXPECT_FALSE(kindOf("my_matmul", types).isFromCode) << types;
    }
}

TEST(KernelCode, WinsOverTheNameInTheClass) {
    EXPECT_EQ(kindOf("ampere_sgemm_128x64_nn", "tf32").use, (TensorUse{Tensor, MathMode::Tf32}));
    EXPECT_EQ(kindOf("ampere_sgemm_128x64_nn", "none").use, (TensorUse{NotTensor, MathMode::Fp32}));
}

TEST(KernelCode, TellsWhatOnlyHelpsAProductOnTensorCores) {
    const std::string name =
        "sm80_xmma_gemm_f16f16_f16f32_f32_nt_n_tilesize96x128x32_tensor16x8x16_execute_split_k";
    EXPECT_EQ(kindOf(name, "fp16").use, (TensorUse{Tensor, MathMode::Fp16}));
    EXPECT_EQ(kindOf(name, "none").use, (TensorUse{NotTensor, MathMode::None}));
}

TEST(KernelCode, KeepsTheArithmeticOfTheNameWhereBothAgree) {
    const std::string name = "void cutlass::Kernel<cutlass_80_tensorop_s1688gemm_128x128_16x4_nt_align4>(P)";
    EXPECT_EQ(kindOf(name, "tf32,bf16").use, (TensorUse{Tensor, MathMode::Tf32}));
    EXPECT_EQ(kindOf(name, "other").use, (TensorUse{Tensor, MathMode::Tf32}));
    EXPECT_EQ(kindOf(name, "bf16").use, (TensorUse{Tensor, MathMode::Bf16}));
}

TEST(KernelCode, OfOneNameInSeveralProcessesHasToAgree) {
    EXPECT_EQ(kindOf(trace()
                         .kernel("k", 10us, 5us)
                         .kernelCode("k", "fp16")
                         .process(1, 2)
                         .kernelCode("k", "bf16")
                         .build())
                  .use,
              (TensorUse{Tensor, MathMode::Mixed}));
    EXPECT_EQ(kindOf(trace()
                         .kernel("k", 10us, 5us)
                         .kernelCode("k", "fp16")
                         .process(1, 2)
                         .kernelCode("k", "none")
                         .build())
                  .use,
              TensorUse{});
}

TEST(KernelCode, DecidesTheTimeOfTheClasses) {
    const Trace recorded = trace()
                               .kernel("mine", 10us, 30us)
                               .kernel("yours", 50us, 20us)
                               .kernel("whose", 80us, 5us)
                               .kernelCode("mine", "bf16")
                               .kernelCode("yours", "none")
                               .build();
    const TensorTime time =
        measureTensorTime(recorded, judgeKernelNames(recorded), DeviceRows(recorded)[DeviceIndex{}],
                          {TimeNs{0us}, TimeNs{100us}});
    EXPECT_EQ(time.tensor, 30us);
    EXPECT_EQ(time.notTensor, 20us);
    EXPECT_EQ(time.unknown, 5us);
}

TEST(KernelCode, IsNamedAsTheSourceInTheTableOfClasses) {
    const Table table = tensorTable(trace()
                                        .kernel("mine", 10us, 30us)
                                        .kernel("ampere_sgemm_128x64_nn", 50us, 20us)
                                        .kernel("whose", 80us, 5us)
                                        .kernelCode("mine", "bf16")
                                        .build());
    ASSERT_EQ(table.columns.back().title, "From");
    ASSERT_EQ(table.rows.size(), 3U);
    EXPECT_EQ(std::get<std::string>(table.rows[0].back()), "code");
    EXPECT_EQ(std::get<std::string>(table.rows[1].back()), "name");
    EXPECT_EQ(std::get<std::string>(table.rows[2].back()), "-");
}

} // namespace
} // namespace tacho
