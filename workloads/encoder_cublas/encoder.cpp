// SPDX-License-Identifier: Apache-2.0
#include "workloads/encoder_cublas/encoder.h"

#include "workloads/encoder_cublas/kernels.h"

#include <cmath>
#include <random>

namespace tacho::encoder {

namespace {
void drawWeights(const Layer& layer, float gain, std::mt19937& random, std::vector<float>& parameters) {
    std::normal_distribution<float> normal(0.0F, gain / std::sqrt(static_cast<float>(layer.inputs)));
    for (std::size_t i = layer.weights; i < layer.biases; ++i)
        parameters[i] = normal(random);
}

std::vector<float> initialParameters(const ParameterLayout& layout, unsigned seed) {
    std::mt19937 random(seed + 1);
    std::vector<float> parameters(layout.count, 0.0F);
    drawWeights(layout.input, 1.0F, random, parameters);
    for (const Block& block : layout.blocks) {
        drawWeights(block.expand, 1.0F, random, parameters);
        // Blocks add up: each adds little, so that the sum keeps its size.
        drawWeights(block.contract, 1.0F / std::sqrt(static_cast<float>(layout.blocks.size())), random,
                    parameters);
    }
    drawWeights(layout.output, 1.0F, random, parameters);
    return parameters;
}

void copyToDevice(void* device, const void* host, std::size_t bytes) {
    check(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice), "copying to the GPU");
}
} // namespace

Encoder::Encoder(const Options& options, const Shape& shape)
    : m_options(options), m_shape(shape), m_layout(shape), m_products(options.usesTf32),
      m_parameters(allocateOnDevice<float>(m_layout.count)),
      m_gradients(allocateOnDevice<float>(m_layout.count)),
      m_firstMoments(allocateOnDevice<float>(m_layout.count)),
      m_secondMoments(allocateOnDevice<float>(m_layout.count)),
      m_labels(allocateOnDevice<int>(options.batch)), m_rowLoss(allocateOnDevice<float>(options.batch)),
      m_loss(allocateOnDevice<float>(1)) {
    const std::size_t batch = options.batch;
    m_samples = allocateOnDevice<float>(batch * shape.inputs);
    m_embedded = allocateOnDevice<float>(batch * shape.width);
    m_logits = allocateOnDevice<float>(batch * shape.classes);
    m_streamGradient = allocateOnDevice<float>(batch * shape.width);
    m_blockGradient = allocateOnDevice<float>(batch * shape.width);
    m_hiddenGradient = allocateOnDevice<float>(batch * shape.hidden);
    for (int i = 0; i < shape.blocks; ++i)
        m_blocks.push_back({allocateOnDevice<float>(batch * shape.hidden),
                            allocateOnDevice<float>(batch * shape.hidden),
                            allocateOnDevice<float>(batch * shape.width)});
    cudaEvent_t event = nullptr;
    check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "creating an event");
    m_inputCopied.reset(event);
    const std::vector<float> parameters = initialParameters(m_layout, options.seed);
    copyToDevice(m_parameters.get(), parameters.data(), parameters.size() * sizeof(float));
    check(cudaDeviceSynchronize(), "setting up the network");
}

void Encoder::copyInput(const float* samples, const int* labels) {
    const std::size_t batch = m_options.batch;
    copyToDevice(m_samples.get(), samples, batch * m_shape.inputs * sizeof(float));
    copyToDevice(m_labels.get(), labels, batch * sizeof(int));
    check(cudaEventRecord(m_inputCopied.get()), "recording an event");
}

void Encoder::waitForInputCopy() const {
    check(cudaEventSynchronize(m_inputCopied.get()), "waiting for the copy of the input");
}

void Encoder::forward() {
    const Matrix stream{m_options.batch, m_shape.width};
    const Matrix inside{m_options.batch, m_shape.hidden};
    const Matrix classes{m_options.batch, m_shape.classes};
    linear(m_layout.input, m_samples.get(), m_embedded.get());
    addBias(stream, m_embedded.get(), m_parameters.get() + m_layout.input.biases);
    const float* x = m_embedded.get();
    for (std::size_t i = 0; i < m_blocks.size(); ++i) {
        const auto& [expand, contract] = m_layout.blocks[i];
        Activations& block = m_blocks[i];
        linear(expand, x, block.expanded.get());
        biasGelu(inside, block.expanded.get(), m_parameters.get() + expand.biases, block.gelu.get());
        linear(contract, block.gelu.get(), block.output.get());
        addBiasAndResidual(stream, block.output.get(), m_parameters.get() + contract.biases, x);
        x = block.output.get();
    }
    linear(m_layout.output, x, m_logits.get());
    addBias(classes, m_logits.get(), m_parameters.get() + m_layout.output.biases);
    softmaxCrossEntropy(classes, m_logits.get(), m_labels.get(), m_rowLoss.get());
    meanOf(m_options.batch, m_rowLoss.get(), m_loss.get());
}

void Encoder::backward() {
    const Matrix stream{m_options.batch, m_shape.width};
    const Matrix inside{m_options.batch, m_shape.hidden};
    float* gradient = m_streamGradient.get(); // of the stream after block i, then before it
    const float* last = m_blocks.empty() ? m_embedded.get() : m_blocks.back().output.get();
    parameterGradients(m_layout.output, last, m_logits.get());
    inputGradient(m_layout.output, m_logits.get(), gradient);
    for (std::size_t i = m_blocks.size(); i-- > 0;) {
        const auto& [expand, contract] = m_layout.blocks[i];
        const Activations& block = m_blocks[i];
        const float* x = i == 0 ? m_embedded.get() : m_blocks[i - 1].output.get();
        parameterGradients(contract, block.gelu.get(), gradient);
        inputGradient(contract, gradient, m_hiddenGradient.get());
        geluGradient(inside, block.expanded.get(), m_hiddenGradient.get(), m_hiddenGradient.get());
        parameterGradients(expand, x, m_hiddenGradient.get());
        inputGradient(expand, m_hiddenGradient.get(), m_blockGradient.get());
        addInPlace(stream, gradient, m_blockGradient.get());
    }
    parameterGradients(m_layout.input, m_samples.get(), gradient);
}

void Encoder::update() {
    ++m_updates;
    const auto steps = static_cast<float>(m_updates);
    adam(static_cast<int>(m_layout.count),
         {m_parameters.get(), m_gradients.get(), m_firstMoments.get(), m_secondMoments.get()},
         {m_options.learningRate, 1.0F - std::pow(0.9F, steps), 1.0F - std::pow(0.999F, steps)});
}

float Encoder::loss() const {
    float value = 0.0F;
    check(cudaMemcpy(&value, m_loss.get(), sizeof value, cudaMemcpyDeviceToHost), "reading the loss");
    return value;
}

std::vector<float> Encoder::parameters() const {
    return toHost(m_parameters.get());
}

std::vector<float> Encoder::gradients() const {
    return toHost(m_gradients.get());
}

std::vector<float> Encoder::toHost(const float* device) const {
    std::vector<float> values(m_layout.count);
    check(cudaMemcpy(values.data(), device, values.size() * sizeof(float), cudaMemcpyDeviceToHost),
          "reading from the GPU");
    return values;
}

void Encoder::linear(const Layer& layer, const float* x, float* y) const {
    m_products.forward({m_options.batch, layer.inputs, layer.outputs}, x, m_parameters.get() + layer.weights,
                       y);
}

void Encoder::parameterGradients(const Layer& layer, const float* x, const float* dy) const {
    m_products.weightGradient({m_options.batch, layer.inputs, layer.outputs}, dy, x,
                              m_gradients.get() + layer.weights);
    columnSums({m_options.batch, layer.outputs}, dy, m_gradients.get() + layer.biases);
}

void Encoder::inputGradient(const Layer& layer, const float* dy, float* dx) const {
    m_products.inputGradient({m_options.batch, layer.inputs, layer.outputs}, dy,
                             m_parameters.get() + layer.weights, dx);
}

} // namespace tacho::encoder
