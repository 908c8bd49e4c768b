// SPDX-License-Identifier: Apache-2.0
// A launcher with ranges forks 8 children: each makes a range before it comes to use CUDA, then another and
// kernels. Every second one does not use CUDA at all.
#include "stand_in/cuda.h"

#include <cstdio>
#include <cstdlib>
#include <nvtx3/nvToolsExt.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

int child(int i) {
    nvtxRangePushA("before CUDA");
    nvtxRangePop();
    if (i % 2 == 0)
        return 3;
    if (!initCuda())
        return 1;
    nvtxRangePushA("step");
    launch("kernel of a child");
    nvtxRangePop();
    return 3;
}

} // namespace

int main() {
    nvtxMarkA("launcher");
    int failed = 0;
    for (int i = 0; i < 8; ++i) {
        const pid_t pid = fork();
        if (pid == 0)
            std::exit(child(i));
        int status = 0;
        waitpid(pid, &status, 0);
        failed += WIFEXITED(status) && WEXITSTATUS(status) == 3 ? 0 : 1;
    }
    std::printf("failed children: %d\n", failed);
    return 0;
}
