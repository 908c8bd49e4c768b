// SPDX-License-Identifier: Apache-2.0
// Calls exit() in an exit handler, which runs before ours, and makes ranges in another, which runs after.
#include <cstdio>
#include <cstdlib>
#include <nvtx3/nvToolsExt.h>

int main() {
    std::atexit([] {
        nvtxRangePushA("after the end");
        nvtxRangePop();
        std::puts("last handler");
    });
    nvtxMarkA("training");
    std::atexit([] { std::exit(6); });
    return 0;
}
