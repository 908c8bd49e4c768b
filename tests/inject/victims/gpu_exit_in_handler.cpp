// SPDX-License-Identifier: Apache-2.0
// Launches kernels without a pause, and calls exit() in its handler of SIGTERM, which so interrupts CUPTI or
// us.
#include "stand_in/cuda.h"

#include <csignal>
#include <cstdlib>
#include <unistd.h>

int main() {
    std::signal(SIGTERM, [](int) { std::exit(22); });
    if (!initCuda())
        return 1;
    for (int i = 0;; ++i) {
        launch("kernel");
        if (i == 1000 && write(STDOUT_FILENO, "ready\n", 6) != 6)
            return 1;
    }
}
