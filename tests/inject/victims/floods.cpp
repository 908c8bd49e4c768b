// SPDX-License-Identifier: Apache-2.0
// Makes ranges faster than they can be written: 1 million nested pairs, then 1000 slow pairs "calm".
#include <nvtx3/nvToolsExt.h>
#include <unistd.h>

int main() {
    nvtxRangePushA("run");
    for (int i = 0; i < 1'000'000; ++i) {
        nvtxRangePushA("flood");
        nvtxRangePop();
    }
    usleep(300'000); // for the writer to catch up: what comes now has room
    for (int i = 0; i < 1000; ++i) {
        nvtxRangePushA("calm");
        nvtxRangePushA("inside");
        nvtxRangePop();
        nvtxRangePop();
    }
    nvtxRangePop();
    return 0;
}
