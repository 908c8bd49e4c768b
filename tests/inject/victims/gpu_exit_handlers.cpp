// SPDX-License-Identifier: Apache-2.0
// Launches kernels in main(), in an exit handler that calls exit() again, and in one that runs after ours.
#include "stand_in/cuda.h"

#include <cstdio>
#include <cstdlib>

int main() {
    std::atexit([] {
        launch("after the end");
        std::puts("last handler");
    });
    if (!initCuda())
        return 1;
    launch("training");
    std::atexit([] {
        launch("cleaning up");
        std::exit(6);
    });
    return 0;
}
