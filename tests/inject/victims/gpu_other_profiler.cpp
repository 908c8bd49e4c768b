// SPDX-License-Identifier: Apache-2.0
// A training with a profiler of its own, which has CUPTI when CUDA starts.
#include "stand_in/cuda.h"

#include <cstdio>
#include <nvtx3/nvToolsExt.h>

int main() {
    subscribeOther("Kineto");
    if (!initCuda())
        return 1;
    nvtxRangePushA("step");
    launch("training");
    nvtxRangePop();
    std::puts("trained");
    return 17;
}
