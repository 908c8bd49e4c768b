// SPDX-License-Identifier: Apache-2.0
#include "analyzer/report/class_colours.h"

namespace tacho {

std::uint32_t colourOf(StepClass of) {
    static constexpr std::array<std::uint32_t, kStepClasses> kColours = {
        0x0377cc, // tensor kernels
        0x53b6f2, // other kernels
        0x859cbd, // unknown kernels
        0xba5e85, // communication
        0x770091, // wait for a rank
        0x0b9f61, // copies to the GPU
        0x95d9b3, // copies to the host
        0xa2b28f, // other memory work
        0x7b4a94, // loading code
        0x6a6a6a, // profiler
        0xb29800, // blocking copy
        0xf8cf89, // launch latency
        0x895828, // dependency wait
        0xbdcddc, // unexplained
        0xe599b9, // host communication
        0xd8e259, // data loading
        0x974543, // allocation
        0xce5900, // synchronisation
        0xf49d7a, // other CUDA call
        0xdaa700, // host code
        0xd8d7d7, // not recorded
    };
    return kColours[static_cast<std::size_t>(of)];
}

} // namespace tacho
