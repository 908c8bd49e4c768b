// SPDX-License-Identifier: Apache-2.0
// Forks children while another thread launches kernels; each child then imports torch, so to speak, and ends
// by exit().
#include "stand_in/cuda.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

int main() {
    if (!initCuda())
        return 1;
    void* const library = dlopen(std::getenv("CUDA_INJECTION64_PATH"), RTLD_NOW | RTLD_NOLOAD);
    auto* const attach = reinterpret_cast<int (*)()>(dlsym(library, "tacho_attach"));
    auto* const flush = reinterpret_cast<void (*)()>(dlsym(library, "tacho_flush"));
    std::atomic<bool> done{false};
    std::thread launching([&done] {
        while (!done)
            launch("kernel");
    });
    int failed = 0;
    for (int i = 0; i < 30; ++i) {
        const pid_t pid = fork();
        if (pid == 0) {
            const int attached = attach();
            flush();
            std::exit(attached == 1 ? 3 : 1);
        }
        int status = 0;
        waitpid(pid, &status, 0);
        failed += WIFEXITED(status) && WEXITSTATUS(status) == 3 ? 0 : 1;
    }
    done = true;
    launching.join();
    std::printf("failed children: %d\n", failed);
    return 0;
}
