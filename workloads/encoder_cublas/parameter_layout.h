// SPDX-License-Identifier: Apache-2.0
// Where each weight lies in the one array that holds all parameters (and all gradients, and Adam's moments).
#pragma once

#include "workloads/encoder_cublas/options.h"

#include <cstddef>
#include <vector>

namespace tacho::encoder {

/// A linear layer: weights outputs x inputs, row-major, then one bias per output.
struct Layer {
    int inputs, outputs;
    std::size_t weights, biases; ///< offsets in the array
};

struct Block {
    Layer expand;   ///< width to hidden, GELU follows
    Layer contract; ///< hidden to width, added to the block's input
};

struct ParameterLayout {
    explicit ParameterLayout(const Shape& shape) {
        input = place(shape.inputs, shape.width);
        for (int i = 0; i < shape.blocks; ++i) {
            const Layer expand = place(shape.width, shape.hidden);
            blocks.push_back({expand, place(shape.hidden, shape.width)});
        }
        output = place(shape.width, shape.classes);
    }

    Layer input;
    std::vector<Block> blocks;
    Layer output;
    std::size_t count = 0; ///< of all parameters

  private:
    Layer place(int inputs, int outputs) {
        const std::size_t weights = count;
        const std::size_t biases = weights + static_cast<std::size_t>(inputs) * outputs;
        count = biases + outputs;
        return {inputs, outputs, weights, biases};
    }
};

} // namespace tacho::encoder
