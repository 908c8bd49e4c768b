// SPDX-License-Identifier: Apache-2.0
// What the user asks of the training.
#pragma once

namespace tacho::encoder {

struct Options {
    int batch = 256;
    int steps = 200;
    int printEvery = 10;
    unsigned seed = 1;
    bool usesPinnedInput = false;
    bool usesTf32 = false;
    bool readsLossEveryStep = false;
    bool checksGradients = false;
    float learningRate = 3e-4F;
};

/// Sizes of the network; all counts of numbers.
struct Shape {
    int inputs = 1024;
    int width = 1024;  ///< of the stream that the blocks read and add to
    int hidden = 4096; ///< inside a block
    int blocks = 6;
    int classes = 64;
};

} // namespace tacho::encoder
