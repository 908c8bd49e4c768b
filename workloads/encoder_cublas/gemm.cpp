// SPDX-License-Identifier: Apache-2.0
#include "workloads/encoder_cublas/gemm.h"

#include <stdexcept>
#include <string>

namespace tacho::encoder {

namespace {
void check(cublasStatus_t status, const char* what) {
    if (status != CUBLAS_STATUS_SUCCESS)
        throw std::runtime_error(std::string(what) + " failed: " + cublasGetStatusString(status));
}
} // namespace

LinearProducts::LinearProducts(bool usesTf32)
    : m_computeType(usesTf32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F) {
    cublasHandle_t handle = nullptr;
    check(cublasCreate(&handle), "starting cuBLAS");
    m_handle.reset(handle);
}

// cuBLAS is column-major: it sees each of our matrices transposed. So it computes transposed(y) = w *
// transposed(x).
void LinearProducts::forward(Size size, const float* x, const float* w, float* y) const {
    multiply({size.batch, size.inputs, size.outputs}, {CUBLAS_OP_T, w, size.inputs},
             {CUBLAS_OP_N, x, size.inputs}, y);
}

void LinearProducts::inputGradient(Size size, const float* dy, const float* w, float* dx) const {
    multiply({size.batch, size.outputs, size.inputs}, {CUBLAS_OP_N, w, size.inputs},
             {CUBLAS_OP_N, dy, size.outputs}, dx);
}

void LinearProducts::weightGradient(Size size, const float* dy, const float* x, float* dw) const {
    multiply({size.outputs, size.batch, size.inputs}, {CUBLAS_OP_N, x, size.inputs},
             {CUBLAS_OP_T, dy, size.outputs}, dw);
}

/// c is columnMajor.outputs x columnMajor.batch, summed over columnMajor.inputs.
void LinearProducts::multiply(Size columnMajor, Operand a, Operand b, float* c) const {
    const float one = 1.0F;
    const float zero = 0.0F;
    check(cublasGemmEx(m_handle.get(), a.operation, b.operation, columnMajor.outputs, columnMajor.batch,
                       columnMajor.inputs, &one, a.matrix, CUDA_R_32F, a.leadingDimension, b.matrix,
                       CUDA_R_32F, b.leadingDimension, &zero, c, CUDA_R_32F, columnMajor.outputs,
                       m_computeType, CUBLAS_GEMM_DEFAULT),
          "a cuBLAS matrix product");
}

} // namespace tacho::encoder
