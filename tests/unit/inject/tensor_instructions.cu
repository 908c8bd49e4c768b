// SPDX-License-Identifier: Apache-2.0
// Kernels whose names begin with what machine_code_test.cpp has to find in their instructions. Compiled for
// each GPU generation, never run. Types that a generation has no instruction for are left out: the compiler
// makes others of them.
#include <cassert>

#define KERNEL extern "C" __global__ void

KERNEL none_arithmetic(float* out, int n) {
    if (threadIdx.x < n)
        out[threadIdx.x] = out[threadIdx.x] / 3.0F + 1.0F;
}

// A division is a call of the compiler's own function, in the same section.
KERNEL none_division(double* out, double by) {
    out[threadIdx.x] /= by;
}

// Four 32-bit accumulators, as most shapes have.
#define MMA(name, type, shape, constraint, operands, ...)                                                    \
    KERNEL name(type* out, const unsigned* x) {                                                              \
        type d[4] = {};                                                                                      \
        asm volatile("mma.sync.aligned." shape " {%0,%1,%2,%3}," operands ",{%0,%1,%2,%3};"                  \
                     : "+" constraint(d[0]), "+" constraint(d[1]), "+" constraint(d[2]),                     \
                       "+" constraint(d[3])                                                                  \
                     : __VA_ARGS__);                                                                         \
        for (int i = 0; i < 4; ++i)                                                                          \
            out[i] = d[i];                                                                                   \
    }
#define OPERANDS_2_1 "{%4,%5},{%6}", "r"(x[0]), "r"(x[1]), "r"(x[2])
#define OPERANDS_4_2 "{%4,%5,%6,%7},{%8,%9}", "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(x[4]), "r"(x[5])
#define MMA_OF(name, type, shape, constraint, operands) MMA(name, type, shape, constraint, operands)

MMA_OF(fp16_m16n8k8, float, "m16n8k8.row.col.f32.f16.f16.f32", "f", OPERANDS_2_1)

KERNEL fp16_half_sums(unsigned* out, const unsigned* x) {
    unsigned d[2] = {};
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0,%1},{%2,%3},{%4},{%0,%1};"
                 : "+r"(d[0]), "+r"(d[1])
                 : "r"(x[0]), "r"(x[1]), "r"(x[2]));
    out[0] = d[0];
    out[1] = d[1];
}

KERNEL int8_m8n8k16(int* out, const unsigned* x) {
    int d[2] = {};
    asm volatile("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%0,%1},{%2},{%3},{%0,%1};"
                 : "+r"(d[0]), "+r"(d[1])
                 : "r"(x[0]), "r"(x[1]));
    out[0] = d[0];
    out[1] = d[1];
}

#if __CUDA_ARCH__ < 900
KERNEL int8_of_four_bits(int* out, const unsigned* x) {
    int d[2] = {};
    asm volatile("mma.sync.aligned.m8n8k32.row.col.s32.u4.u4.s32 {%0,%1},{%2},{%3},{%0,%1};"
                 : "+r"(d[0]), "+r"(d[1])
                 : "r"(x[0]), "r"(x[1]));
    out[0] = d[0];
    out[1] = d[1];
}

KERNEL other_bits(int* out, const unsigned* x) {
    int d[2] = {};
    asm volatile("mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.xor.popc {%0,%1},{%2},{%3},{%0,%1};"
                 : "+r"(d[0]), "+r"(d[1])
                 : "r"(x[0]), "r"(x[1]));
    out[0] = d[0];
    out[1] = d[1];
}
#endif

#if __CUDA_ARCH__ >= 800
MMA_OF(fp16_m16n8k16, float, "m16n8k16.row.col.f32.f16.f16.f32", "f", OPERANDS_4_2)
MMA_OF(bf16_m16n8k8, float, "m16n8k8.row.col.f32.bf16.bf16.f32", "f", OPERANDS_2_1)
MMA_OF(bf16_m16n8k16, float, "m16n8k16.row.col.f32.bf16.bf16.f32", "f", OPERANDS_4_2)
MMA_OF(tf32_m16n8k4, float, "m16n8k4.row.col.f32.tf32.tf32.f32", "f", OPERANDS_2_1)
MMA_OF(tf32_m16n8k8, float, "m16n8k8.row.col.f32.tf32.tf32.f32", "f", OPERANDS_4_2)
MMA_OF(int8_m16n8k32, int, "m16n8k32.row.col.s32.s8.s8.s32", "r", OPERANDS_4_2)

KERNEL fp64_m8n8k4(double* out, const double* x) {
    double d[2] = {};
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1},{%2},{%3},{%0,%1};"
                 : "+d"(d[0]), "+d"(d[1])
                 : "d"(x[0]), "d"(x[1]));
    out[0] = d[0];
    out[1] = d[1];
}

KERNEL fp16_sparse(float* out, const unsigned* x) {
    float d[4] = {};
    asm volatile("mma.sp::ordered_metadata.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                 "{%0,%1,%2,%3},{%4,%5},{%6,%7},{%0,%1,%2,%3},%8,0x0;"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(x[4]));
    for (int i = 0; i < 4; ++i)
        out[i] = d[i];
}
#endif

#if __CUDA_ARCH__ == 890 || __CUDA_ARCH__ == 1200
MMA_OF(fp8_m16n8k32, float, "m16n8k32.row.col.f32.e4m3.e5m2.f32", "f", OPERANDS_4_2)
#endif

#if __CUDA_ARCH__ == 900
#define WGMMA(name, type, constraint, shape, end)                                                            \
    KERNEL name(type* out, const unsigned long long* x) {                                                    \
        type d[4] = {};                                                                                      \
        asm volatile("wgmma.fence.sync.aligned;"                                                             \
                     "wgmma.mma_async.sync.aligned." shape " {%0,%1,%2,%3}, %4, %5, 1" end ";"               \
                     "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;"                     \
                     : "+" constraint(d[0]), "+" constraint(d[1]), "+" constraint(d[2]),                     \
                       "+" constraint(d[3])                                                                  \
                     : "l"(x[0]), "l"(x[1]));                                                                \
        for (int i = 0; i < 4; ++i)                                                                          \
            out[i] = d[i];                                                                                   \
    }
// The first operand from registers.
#define WGMMA_RS(name, shape, end)                                                                           \
    KERNEL name(float* out, const unsigned* x, const unsigned long long* y) {                                \
        float d[4] = {};                                                                                     \
        asm volatile("wgmma.fence.sync.aligned;"                                                             \
                     "wgmma.mma_async.sync.aligned." shape " {%0,%1,%2,%3}, {%4,%5,%6,%7}, %8, 1" end ";"    \
                     "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;"                     \
                     : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])                                        \
                     : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "l"(y[0]));                               \
        for (int i = 0; i < 4; ++i)                                                                          \
            out[i] = d[i];                                                                                   \
    }
WGMMA(fp16_wgmma, float, "f", "m64n8k16.f32.f16.f16", ", 1, 1, 0, 0")
WGMMA(bf16_wgmma, float, "f", "m64n8k16.f32.bf16.bf16", ", 1, 1, 0, 0")
WGMMA(tf32_wgmma, float, "f", "m64n8k8.f32.tf32.tf32", ", 1, 1")
WGMMA(fp8_wgmma, float, "f", "m64n8k32.f32.e4m3.e5m2", ", 1, 1")
WGMMA(int8_wgmma, int, "r", "m64n8k32.s32.s8.s8", "")
WGMMA(other_wgmma_bits, int, "r", "m64n8k256.s32.b1.b1.and.popc", "")
WGMMA_RS(fp16_wgmma_rs, "m64n8k16.f32.f16.f16", ", 1, 1, 0")
WGMMA_RS(bf16_wgmma_rs, "m64n8k16.f32.bf16.bf16", ", 1, 1, 0")
WGMMA_RS(tf32_wgmma_rs, "m64n8k8.f32.tf32.tf32", ", 1, 1")
WGMMA_RS(fp8_wgmma_rs, "m64n8k32.f32.e4m3.e4m3", ", 1, 1")
#endif

#if __CUDA_ARCH__ == 1000
#define TCGEN05(name, instruction)                                                                           \
    KERNEL name(const unsigned* x, const unsigned long long* y) {                                            \
        asm volatile("{.reg .pred p; setp.ne.b32 p,%4,0; tcgen05." instruction "; }" ::"r"(x[0]), "l"(y[0]), \
                     "l"(y[1]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(x[4]));                                 \
    }
TCGEN05(other_f16, "mma.cta_group::1.kind::f16 [%0], %1, %2, %3, p")
TCGEN05(other_tf32, "mma.cta_group::1.kind::tf32 [%0], %1, %2, %3, p")
TCGEN05(other_sparse, "mma.sp.cta_group::1.kind::f16 [%0], %1, %2, [%5], %3, p")
TCGEN05(other_from_tensor_memory, "mma.cta_group::1.kind::f16 [%0], [%5], %2, %3, p")
TCGEN05(other_weights, "mma.ws.cta_group::1.kind::f16 [%0], %1, %2, %3, p")
TCGEN05(other_two_blocks, "mma.cta_group::2.kind::f16 [%0], %1, %2, %3, p")
TCGEN05(int8_tcgen05, "mma.cta_group::1.kind::i8 [%0], %1, %2, %3, p")
TCGEN05(fp8_tcgen05, "mma.cta_group::1.kind::f8f6f4 [%0], %1, %2, %3, p")
TCGEN05(fp8_scaled, "mma.cta_group::1.kind::mxf8f6f4.block_scale [%0], %1, %2, %3, [%5], [%6], p")
TCGEN05(fp4_scaled, "mma.cta_group::1.kind::mxf4.block_scale [%0], %1, %2, %3, [%5], [%6], p")
TCGEN05(fp4_nvidia,
        "mma.cta_group::1.kind::mxf4nvf4.block_scale.scale_vec::4X [%0], %1, %2, %3, [%5], [%6], p")
TCGEN05(none_commit, "commit.cta_group::1.mbarrier::arrive::one.b64 [%1]")
TCGEN05(none_copy, "cp.cta_group::1.128x256b [%0], %1")
TCGEN05(none_shift, "shift.cta_group::1.down [%0]")
#endif

#if __CUDA_ARCH__ == 1200
MMA_OF(fp8_of_six_bits, float, "m16n8k32.row.col.kind::f8f6f4.f32.e2m1.e3m2.f32", "f", OPERANDS_4_2)

KERNEL fp4_scaled(float* out, const unsigned* x) {
    float d[4] = {};
    asm volatile(
        "mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0 "
        "{%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3},{%10},{0,1},{%11},{0,1};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(x[4]), "r"(x[5]), "r"(x[6]), "r"(x[7]));
    for (int i = 0; i < 4; ++i)
        out[i] = d[i];
}
#endif

// The name of what a failed assertion calls is the driver's.
KERNEL calls_assert(float* out, int n) {
    assert(n > 3);
    out[0] = 1.0F;
}
