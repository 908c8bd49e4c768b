// SPDX-License-Identifier: Apache-2.0
// Public reports about tensor cores and precision; see diagnosis.h.
#include "analyzer/metrics/tensor_grammar.h"
#include "tests/unit/analysis/diagnosis.h"

#include <gtest/gtest.h>

namespace tacho {
namespace {

using test::addLayers;
using test::Diagnosis;
using test::kElementwise;
using test::kFp32Gemm;
using test::kTensorGemm;
using test::trace;
using test::TraceBuilder;
using namespace std::chrono_literals;

/// The GPU is never idle.
TraceBuilder busyWith(const std::string& kernel) {
    TraceBuilder builder = trace();
    addLayers(builder, kernel, 0ms, 50, 1ms);
    return builder;
}

/// Many short kernels that the host launches one by one.
TraceBuilder launchBound(const std::string& kernel) {
    TraceBuilder builder = trace();
    for (int i = 0; i < 300; ++i)
        builder.kernel(i % 3 == 0 ? kernel : kElementwise, i * 30us, 6us, 2us);
    return builder;
}

// https://github.com/facebookresearch/fairseq/issues/1047 and https://github.com/NVIDIA/apex/issues/76: a GTX
// 1080 Ti.
TEST(Cases, Case26And50_HalfPrecisionOnAGpuWithoutTensorCores) {
    for (const char* kernel : {"maxwell_fp16_sgemm_fp16_128x64_nn", "maxwell_sgemm_128x64_nn"}) {
        auto builder = busyWith(kernel);
        builder.deviceNamed("NVIDIA GeForce GTX 1080 Ti", 6, 1);
        const Diagnosis diagnosis(builder);
        EXPECT_EQ(diagnosis.finding("tensor_cores_unused"), nullptr);
        EXPECT_FALSE(diagnosis.says("AMP")) << diagnosis.everything();
        EXPECT_FALSE(diagnosis.says("TF32"));
    }
}

// https://github.com/facebookresearch/fairseq/issues/2424: words per second rise for an hour: a cumulative
// mean.
TEST(Cases, Case29_StartUpIsNotPartOfTheSteadyStep) {
    TraceBuilder builder = trace();
    builder.step(0, 0ms, 400ms).slowKernel(kTensorGemm, 390ms, 10ms, 380ms);
    for (int i = 1; i <= 20; ++i) {
        builder.step(i, 380ms + i * 20ms, 20ms);
        addLayers(builder, kTensorGemm, 380ms + i * 20ms, 20, 1ms);
    }
    const Diagnosis diagnosis(builder);
    EXPECT_EQ(diagnosis.analysis().measurements.steps.warmUpSteps, 1U);
    EXPECT_TRUE(diagnosis.device().variation.slow.empty()) << "warm-up is no slow step";
    EXPECT_EQ(diagnosis.analysis().measurements.steps.median, 20ms);
    EXPECT_EQ(diagnosis.limit(), Limit::Healthy) << diagnosis.everything();
}

// https://github.com/NVIDIA/apex/issues/806 and https://github.com/tensorflow/tensorflow/issues/44191
TEST(Cases, Case31And49_TuringWithoutTensorCores) {
    struct Gpu {
        const char* name;
        const char* chip;
    };
    for (const Gpu& gpu : {Gpu{"NVIDIA GeForce GTX 1650", "TU117"},
                           Gpu{"NVIDIA GeForce GTX 1660 Ti", "TU116"}, Gpu{"NVIDIA GeForce GTX 1650", ""}}) {
        auto builder = busyWith("volta_sgemm_128x64_nn");
        builder.deviceNamed(gpu.name, 7, 5, gpu.chip);
        const Diagnosis diagnosis(builder);
        EXPECT_EQ(diagnosis.finding("tensor_cores_unused"), nullptr) << diagnosis.everything();
    }
    auto builder = busyWith("volta_sgemm_128x64_nn");
    builder.deviceNamed("Tesla T4", 7, 5, "TU104");
    EXPECT_NE(Diagnosis(builder).finding("tensor_cores_unused"), nullptr) << "7.5 alone does not settle it";
}

// https://github.com/NVIDIA/apex/issues/251: ResNet-18 on a V100, as fast in fp16 as in fp32.
TEST(Cases, Case32_TensorCoresAreUsedButTheGpuIsIdle) {
    auto builder = launchBound("volta_fp16_s884gemm_fp16_128x64_ldg8_f2f_nn");
    builder.deviceNamed("Tesla V100", 7, 0);
    const Diagnosis diagnosis(builder);
    EXPECT_EQ(diagnosis.limit(), Limit::Host);
    EXPECT_EQ(diagnosis.finding("tensor_cores_unused"), nullptr) << diagnosis.everything();
}

// https://github.com/NVIDIA/apex/issues/221, https://github.com/NVIDIA/DeepLearningExamples/issues/32 and
// https://github.com/NVIDIA/cuda-profiler/issues/6: AMP is asked for, yet the kernels are float32.
TEST(Cases, Case34And35And37_AutocastIsOnButNoKernelUsesTensorCores) {
    auto builder = busyWith("volta_sgemm_128x64_nn");
    builder.deviceNamed("Tesla V100", 7, 0)
        .fact("torch.version", "2.11.0")
        .fact("autocast.seen", "1")
        .fact("autocast.dtype", "float16");
    const Diagnosis diagnosis(builder);
    ASSERT_NE(diagnosis.finding("tensor_cores_unused"), nullptr);
    EXPECT_TRUE(diagnosis.says("Autocast is on, and these kernels ran in float32")) << diagnosis.everything();
    EXPECT_FALSE(diagnosis.says("torch.autocast(")) << "it is on";
}

// https://github.com/OpenNMT/OpenNMT-tf/issues/211: a vocabulary of 32001. Since 2020 such sizes cost
// padding; they do not keep tensor cores from being used.
TEST(Cases, Case38_AnOddSizeIsNotTheLossOfTensorCores) {
    auto builder = busyWith(
        "void cutlass::Kernel2<cutlass_80_wmma_tensorop_f16_s161616gemm_f16_32x32_64x2_nn_align1>(P)");
    const Diagnosis diagnosis(builder);
    EXPECT_EQ(diagnosis.finding("tensor_cores_unused"), nullptr) << diagnosis.everything();
    EXPECT_GT(diagnosis.device().tensor.tensor, 49ms);
}

// https://github.com/pytorch/pytorch/issues/153195 and
// https://github.com/deepmodeling/deepmd-kit/issues/4499: TF32 is off by default; whether its rounding is
// fine is for the user to decide.
TEST(Cases, Case40And41_Float32MatrixWorkOnAGpuWithTf32) {
    for (const char* kernel :
         {"sm80_xmma_gemm_f32f32_f32f32_f32_tn_n_tilesize128x128x8_stage3_warpsize2x2x1_ffma_aligna4",
          kFp32Gemm}) {
        auto builder = busyWith(kernel);
        const Diagnosis diagnosis(builder);
        EXPECT_EQ(diagnosis.limit(), Limit::Compute) << diagnosis.everything();
        ASSERT_NE(diagnosis.finding("tensor_cores_unused"), nullptr);
        EXPECT_TRUE(diagnosis.says("TF32") && diagnosis.says("10 bits of mantissa"));
    }
}

// https://github.com/tensorflow/tensorflow/issues/39985
TEST(Cases, Case43_ThreeDimensionalConvolutionsWithoutTensorCores) {
    auto builder = busyWith("volta_scudnn_128x64_3dconv_fprop_xregs_large_nn_v1");
    builder.deviceNamed("Tesla V100", 7, 0);
    EXPECT_NE(Diagnosis(builder).finding("tensor_cores_unused"), nullptr);
}

// https://github.com/NVIDIA/PyProf/issues/170: a list of kernel names gets old.
TEST(Cases, Case46_KernelsThatNobodyKnowsAreUnknownAndNotBlamed) {
    auto builder = busyWith("zz2031_gemm_of_tomorrow_128x128");
    const Diagnosis diagnosis(builder);
    EXPECT_EQ(diagnosis.finding("tensor_cores_unused"), nullptr);
    EXPECT_TRUE(diagnosis.says("unknown 100.0 %")) << diagnosis.everything();
}

// https://github.com/openxla/xprof/issues/3230: matrix cores of AMD.
TEST(Cases, Case47_MatrixCoresOfAmdAreSeen) {
    auto builder = busyWith("Cijk_Ailk_Bljk_BBS_BH_Bias_MT128x128x64_MI16x16x1_SN_1LDSB0.kd");
    builder.deviceNamed("AMD Instinct MI300X", 9, 4);
    const Diagnosis diagnosis(builder);
    EXPECT_GT(diagnosis.device().tensor.tensor, 49ms);
    EXPECT_FALSE(diagnosis.says("TF32"));
}

// https://github.com/NVIDIA/tacotron2/issues/82: recurrent, many kernels under 10 us; fp16 brings nothing.
TEST(Cases, Case53_ARecurrentNetworkIsLimitedByLaunchesNotByPrecision) {
    auto builder = launchBound("volta_sgemm_32x32_sliced1x4_tn");
    builder.deviceNamed("Tesla V100", 7, 0);
    const Diagnosis diagnosis(builder);
    EXPECT_EQ(diagnosis.limit(), Limit::Host);
    EXPECT_EQ(diagnosis.analysis().findings.front().rule, "host_bound");
    EXPECT_TRUE(diagnosis.says("AMP adds cast kernels")) << diagnosis.everything();
}

// https://github.com/facebookresearch/fairseq/issues/940: raise the tokens per batch.
TEST(Cases, Case28_UtilisationRisesWithTheBatch) {
    double idleBefore = 1;
    for (const DurationNs kernel : {5us, 20us, 40us}) {
        TraceBuilder builder = trace();
        for (int i = 0; i < 200; ++i)
            builder.kernel(kTensorGemm, i * 50us, kernel, 2us);
        const Diagnosis diagnosis(builder);
        const DeviceActivity& device = diagnosis.device();
        const double idle =
            static_cast<double>(device.steady.idle.count()) / static_cast<double>(device.steady.span.count());
        EXPECT_LT(idle, idleBefore);
        idleBefore = idle;
        if (const Finding* finding = diagnosis.finding("host_bound")) {
            EXPECT_TRUE(diagnosis.says("larger batch")) << finding->title;
        }
    }
}

// https://github.com/NVIDIA/cudnn-frontend/issues/134 and https://github.com/pytorch/pytorch/issues/60063
TEST(Cases, Case55And56_LayoutsAreConvertedBackAndForth) {
    const auto training = [](DurationNs conversion) {
        TraceBuilder builder = trace();
        for (int i = 0; i < 20; ++i)
            builder
                .kernel("sm80_xmma_fprop_implicit_gemm_f16f16_f16f32_f32_nhwckrsc_nhwc_tilesize128x128x32",
                        i * 4ms, 3ms)
                .kernel("void cudnn::ops::nchwToNhwcKernel<__half, __half, float, true, false>(P)",
                        i * 4ms + 3ms, conversion)
                .kernel("void cudnn::ops::nhwcToNchwKernel<__half, __half, float, true, false>(P)",
                        i * 4ms + 3ms + conversion, conversion)
                .kernel(kElementwise, i * 4ms + 3ms + 2 * conversion, 1ms - 2 * conversion);
        return builder;
    };
    auto defect = training(400us);
    auto fixed = training(10us);
    const Diagnosis converting(defect), native(fixed);
    ASSERT_NE(converting.finding("layout_conversions"), nullptr) << converting.everything();
    EXPECT_NEAR(converting.finding("layout_conversions")->atMost.share, 0.2, 0.01);
    EXPECT_TRUE(converting.says("channels_last"));
    EXPECT_EQ(native.finding("layout_conversions"), nullptr);
}

} // namespace
} // namespace tacho
