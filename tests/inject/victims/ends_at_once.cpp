// SPDX-License-Identifier: Apache-2.0
// Makes a range and ends by _exit.
#include <nvtx3/nvToolsExt.h>
#include <unistd.h>

int main() {
    nvtxRangePushA("last words");
    nvtxRangePop();
    _exit(11);
}
