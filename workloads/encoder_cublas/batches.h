// SPDX-License-Identifier: Apache-2.0
// The synthetic task: samples are noisy copies of one prototype per class.
#pragma once

#include "workloads/encoder_cublas/device_memory.h"
#include "workloads/encoder_cublas/options.h"

#include <random>
#include <vector>

namespace tacho::encoder {

/// Makes one batch after the other in host memory, the same for the same seed.
class Batches {
  public:
    Batches(const Options& options, const Shape& shape);

    /// Overwrites the batch before. The copy of that one to the GPU must be over.
    void next();

    [[nodiscard]] const float* samples() const { return m_samples; } ///< batch x inputs
    [[nodiscard]] const int* labels() const { return m_labels; }     ///< batch

  private:
    const int m_batch;
    const int m_inputs;
    std::mt19937 m_random;
    std::vector<float> m_prototypes; ///< classes x inputs
    std::vector<float> m_noise;      ///< drawn once: a fresh draw per sample would be slower than the GPU
    std::vector<float> m_pageableSamples;
    std::vector<int> m_pageableLabels;
    PinnedArray<float> m_pinnedSamples;
    PinnedArray<int> m_pinnedLabels;
    float* m_samples; ///< into one of the pairs above
    int* m_labels;
};

} // namespace tacho::encoder
