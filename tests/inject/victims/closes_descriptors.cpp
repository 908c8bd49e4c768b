// SPDX-License-Identifier: Apache-2.0
// Closes all descriptors, as daemons do, and opens a file under each of their numbers; argument: a folder for
// them.
#include <cstdio>
#include <fcntl.h>
#include <nvtx3/nvToolsExt.h>
#include <string>
#include <unistd.h>

int main(int, char** argv) {
    nvtxMarkA("before");
    const std::string data = std::string(argv[1]) + "/data";
    for (int fd = 3; fd < 1024; ++fd)
        close(fd);
    for (int fd = 3; fd < 1020; ++fd)
        if (open(data.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600) != fd)
            return 1;
    for (int i = 0; i < 300; ++i) { // 0.3 s: several flushes
        nvtxMarkA("after");
        usleep(1000);
    }
    return 8;
}
