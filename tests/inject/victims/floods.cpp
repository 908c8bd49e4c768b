// SPDX-License-Identifier: Apache-2.0
// Makes ranges faster than they can be written: 80 MB of texts at once, then 1000 pairs "calm" that have
// room.
#include <nvtx3/nvToolsExt.h>
#include <string>
#include <unistd.h>

int main() {
    const std::string text = "flood" + std::string(4000, '.');
    nvtxRangePushA("run");
    for (int i = 0; i < 20'000; ++i) {
        nvtxRangePushA(text.c_str());
        nvtxRangePushA("in the flood");
        nvtxRangePop();
        nvtxRangePop();
    }
    usleep(300'000); // for the writer to catch up
    for (int i = 0; i < 1000; ++i) {
        nvtxRangePushA("calm");
        nvtxRangePushA("inside");
        nvtxRangePop();
        nvtxRangePop();
    }
    nvtxRangePop();
    return 0;
}
