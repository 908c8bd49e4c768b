// SPDX-License-Identifier: Apache-2.0
#include "workloads/encoder_cublas/batches.h"

namespace tacho::encoder {

namespace {
constexpr std::size_t kNoiseLength = 1 << 20;
constexpr float kPrototypeScale = 0.2F; // against noise of 1: the task takes some tens of steps to learn

std::vector<float> normalNumbers(std::size_t count, float scale, std::mt19937& random) {
    std::normal_distribution<float> normal(0.0F, scale);
    std::vector<float> numbers(count);
    for (float& number : numbers)
        number = normal(random);
    return numbers;
}
} // namespace

Batches::Batches(const Options& options, const Shape& shape)
    : m_batch(options.batch), m_inputs(shape.inputs), m_random(options.seed),
      m_prototypes(
          normalNumbers(static_cast<std::size_t>(shape.classes) * shape.inputs, kPrototypeScale, m_random)),
      m_noise(normalNumbers(kNoiseLength + shape.inputs, 1.0F, m_random)) {
    const std::size_t numbers = static_cast<std::size_t>(m_batch) * m_inputs;
    if (options.usesPinnedInput) {
        m_pinnedSamples = allocatePinned<float>(numbers);
        m_pinnedLabels = allocatePinned<int>(m_batch);
    } else {
        m_pageableSamples.resize(numbers);
        m_pageableLabels.resize(m_batch);
    }
    m_samples = options.usesPinnedInput ? m_pinnedSamples.get() : m_pageableSamples.data();
    m_labels = options.usesPinnedInput ? m_pinnedLabels.get() : m_pageableLabels.data();
}

void Batches::next() {
    const int classes = static_cast<int>(m_prototypes.size()) / m_inputs;
    for (int row = 0; row < m_batch; ++row) {
        m_labels[row] = static_cast<int>(m_random() % classes);
        const float* prototype = m_prototypes.data() + static_cast<std::size_t>(m_labels[row]) * m_inputs;
        const float* noise = m_noise.data() + m_random() % kNoiseLength;
        float* sample = m_samples + static_cast<std::size_t>(row) * m_inputs;
        for (int i = 0; i < m_inputs; ++i)
            sample[i] = prototype[i] + noise[i];
    }
}

} // namespace tacho::encoder
