// SPDX-License-Identifier: Apache-2.0
// The three matrix products of a linear layer, by cuBLAS.
#pragma once

#include <cublas_v2.h>
#include <memory>

namespace tacho::encoder {

/// Matrices are row-major: samples are batch x inputs, weights outputs x inputs. All pointers are to GPU
/// memory. Products run on the default stream.
class LinearProducts {
  public:
    explicit LinearProducts(bool usesTf32);

    struct Size {
        int batch, inputs, outputs;
    };
    /// y = x * transposed(w)
    void forward(Size size, const float* x, const float* w, float* y) const;
    /// dx = dy * w
    void inputGradient(Size size, const float* dy, const float* w, float* dx) const;
    /// dw = transposed(dy) * x
    void weightGradient(Size size, const float* dy, const float* x, float* dw) const;

  private:
    struct Destroy {
        void operator()(cublasHandle_t handle) const { cublasDestroy(handle); }
    };
    struct Operand {
        cublasOperation_t operation;
        const float* matrix;
        int leadingDimension;
    };
    void multiply(Size columnMajor, Operand a, Operand b, float* c) const;

    std::unique_ptr<cublasContext, Destroy> m_handle;
    cublasComputeType_t m_computeType;
};

} // namespace tacho::encoder
