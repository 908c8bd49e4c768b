// SPDX-License-Identifier: Apache-2.0
// Opens and closes ranges "step" for ever and says "ready" when 200 are done.
#include <cstdio>
#include <nvtx3/nvToolsExt.h>
#include <unistd.h>

int main() {
    for (int i = 0;; ++i) {
        nvtxRangePushA("step");
        usleep(500);
        nvtxRangePop();
        if (i == 200) {
            std::puts("ready");
            std::fflush(stdout);
        }
    }
}
