// SPDX-License-Identifier: Apache-2.0
// Launches kernels for ever, says "ready" when 200 are launched, and on SIGTERM saves: kernel "checkpoint",
// ends with 21.
#include "stand_in/cuda.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <unistd.h>

namespace {
volatile std::sig_atomic_t stop = 0;
} // namespace

int main() {
    std::signal(SIGTERM, [](int) { stop = 1; });
    if (!initCuda())
        return 1;
    for (int i = 0; stop == 0; ++i) {
        launch("step");
        usleep(500);
        if (i == 200) {
            std::puts("ready");
            std::fflush(stdout);
        }
    }
    launch("checkpoint");
    return 21;
}
