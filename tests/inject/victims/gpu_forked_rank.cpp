// SPDX-License-Identifier: Apache-2.0
// Announces steps, as the hook does when torch is imported, and forks a rank that launches a kernel and makes
// no step.
#include "stand_in/cuda.h"

#include <cstdlib>
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

int main() {
    void* const library = dlopen(std::getenv("CUDA_INJECTION64_PATH"), RTLD_NOW);
    auto* const attach = reinterpret_cast<int (*)()>(dlsym(library, "tacho_attach"));
    if (attach() != 1)
        return 1;
    if (fork() == 0) {
        if (!initCuda())
            return 1;
        launch("before the first step");
        return 14;
    }
    int status = 0;
    wait(&status);
    return WEXITSTATUS(status);
}
