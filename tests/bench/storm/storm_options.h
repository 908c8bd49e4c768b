// SPDX-License-Identifier: Apache-2.0
// The arguments of the storm.
#pragma once

#include <cstdint>

struct StormOptions {
    std::uint64_t launches = 1'000'000; ///< of kernels, by all threads; rounded up to whole graphs
    std::uint32_t threads = 1;
    bool useGraph = false;
    std::uint32_t graphNodes = 10'000;
    std::uint32_t copyEvery = 0; ///< a copy of 4 bytes after so many kernels; 0: none. Not with a graph
    std::uint32_t nvtxEvery = 0; ///< every so many kernels one is inside a range; 0: none. Not with a graph

    /// Ends the process where an argument means nothing.
    static StormOptions parse(int argc, char** argv);
    std::uint64_t launchesOfAThread() const { return launches / threads; }
};
