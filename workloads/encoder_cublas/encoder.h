// SPDX-License-Identifier: Apache-2.0
// A classifier of residual feed-forward blocks (those of a transformer encoder), trained with Adam on the
// GPU.
#pragma once

#include "workloads/encoder_cublas/device_memory.h"
#include "workloads/encoder_cublas/gemm.h"
#include "workloads/encoder_cublas/options.h"
#include "workloads/encoder_cublas/parameter_layout.h"

#include <vector>

namespace tacho::encoder {

/// All work goes to the default stream in the order of the calls; nothing waits for it but the functions that
/// return host values.
class Encoder {
  public:
    Encoder(const Options& options, const Shape& shape);

    /// Starts the copy of a batch to the GPU; asynchronous only from page-locked memory.
    void copyInput(const float* samples, const int* labels);
    /// Waits until the host memory of the last copyInput() may be overwritten.
    void waitForInputCopy() const;
    /// Computes logits and loss of the batch that was copied last.
    void forward();
    /// Computes the gradients of all parameters.
    void backward();
    /// Applies one step of Adam.
    void update();

    [[nodiscard]] float loss() const; ///< mean over the batch; waits for the GPU
    [[nodiscard]] std::vector<float> parameters() const;
    [[nodiscard]] std::vector<float> gradients() const;
    [[nodiscard]] const ParameterLayout& layout() const { return m_layout; }

  private:
    struct Activations {
        DeviceArray<float> expanded; ///< before GELU, batch x hidden
        DeviceArray<float> gelu;     ///< batch x hidden
        DeviceArray<float> output;   ///< batch x width
    };

    [[nodiscard]] std::vector<float> toHost(const float* device) const;
    void linear(const Layer& layer, const float* x, float* y) const; ///< without the bias
    void parameterGradients(const Layer& layer, const float* x, const float* dy) const;
    void inputGradient(const Layer& layer, const float* dy, float* dx) const;

    struct DestroyEvent {
        void operator()(cudaEvent_t event) const { cudaEventDestroy(event); }
    };

    const Options m_options;
    const Shape m_shape;
    const ParameterLayout m_layout;
    LinearProducts m_products;
    int m_updates = 0;

    DeviceArray<float> m_parameters, m_gradients, m_firstMoments, m_secondMoments; ///< by m_layout
    std::unique_ptr<CUevent_st, DestroyEvent> m_inputCopied;
    DeviceArray<float> m_samples;
    DeviceArray<int> m_labels;
    DeviceArray<float> m_embedded; ///< input of the first block
    std::vector<Activations> m_blocks;
    DeviceArray<float> m_logits; ///< their gradient once forward() is done
    DeviceArray<float> m_rowLoss, m_loss;
    DeviceArray<float> m_streamGradient, m_blockGradient; ///< batch x width
    DeviceArray<float> m_hiddenGradient;                  ///< batch x hidden
};

} // namespace tacho::encoder
