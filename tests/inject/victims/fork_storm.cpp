// SPDX-License-Identifier: Apache-2.0
// Forks children that make NVTX calls, while a thread registers exit handlers and another NVTX names.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <nvtx3/nvToolsExt.h>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace {

std::atomic<bool> g_done{false};

void registerHandlers() {
    for (int i = 0; i < 100'000 && !g_done; ++i)
        std::atexit([] {});
}

void registerNames() {
    for (int i = 0; i < 3000 && !g_done; ++i) // not for ever: known names are searched one by one
        nvtxDomainRegisterStringA(nullptr, std::to_string(i).c_str());
    while (!g_done)
        nvtxDomainRegisterStringA(nullptr, "0");
}

void child(int i) {
    nvtxRangePushA("in a child");
    nvtxDomainCreateA(("domain of child " + std::to_string(i)).c_str());
    nvtxDomainRegisterStringA(nullptr, "of a child");
    nvtxRangePop();
    _exit(0);
}

} // namespace

int main() {
    nvtxRangePushA("parent");
    std::thread handlers(registerHandlers);
    std::thread names(registerNames);
    int failed = 0;
    for (int i = 0; i < 300; ++i) {
        const pid_t pid = fork();
        if (pid == 0)
            child(i);
        int status = 0;
        waitpid(pid, &status, 0);
        failed += status != 0 ? 1 : 0;
    }
    g_done = true;
    handlers.join();
    names.join();
    for (int i = 0; i < 50; ++i) { // these run the exit handlers: ours too
        if (fork() == 0)
            std::exit(3);
        int status = 0;
        wait(&status);
        failed += WEXITSTATUS(status) != 3 ? 1 : 0;
    }
    nvtxRangePop();
    std::printf("failed children: %d\n", failed);
    return 0;
}
