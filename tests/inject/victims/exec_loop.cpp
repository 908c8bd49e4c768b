// SPDX-License-Identifier: Apache-2.0
// Becomes a new image of itself, N times (argument; none: 0), each with one mark.
#include <cstdlib>
#include <nvtx3/nvToolsExt.h>
#include <string>
#include <unistd.h>

int main(int argc, char** argv) {
    const int left = argc > 1 ? std::atoi(argv[1]) : 0;
    nvtxMarkA(("image " + std::to_string(left)).c_str());
    if (left == 0)
        return 4;
    const std::string next = std::to_string(left - 1);
    execl(argv[0], argv[0], next.c_str(), nullptr);
    return 1;
}
