// SPDX-License-Identifier: Apache-2.0
// Makes a mark, shuts itself into an empty folder (argument) as another user, and makes a second mark.
#include <cstdio>
#include <nvtx3/nvToolsExt.h>
#include <string>
#include <unistd.h>

int main(int, char** argv) {
    nvtxMarkA("as root");
    if (chroot(argv[1]) != 0 || chdir("/") != 0 || setgid(65534) != 0 || setuid(65534) != 0)
        return 1;
    nvtxMarkA("as nobody");
    return 12;
}
