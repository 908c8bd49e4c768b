// SPDX-License-Identifier: Apache-2.0
// May write files of at most N bytes (argument), keeps making marks, and ends with 13.
#include <csignal>
#include <cstdlib>
#include <nvtx3/nvToolsExt.h>
#include <sys/resource.h>
#include <unistd.h>

int main(int, char** argv) {
    const rlim_t bytes = static_cast<rlim_t>(std::atoll(argv[1]));
    const rlimit limit{bytes, bytes};
    setrlimit(RLIMIT_FSIZE, &limit);
    for (int i = 0; i < 2000; ++i) {
        nvtxMarkA("a mark with a text that takes some room in the file");
        usleep(100);
    }
    return 13;
}
