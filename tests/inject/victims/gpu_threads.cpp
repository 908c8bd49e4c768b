// SPDX-License-Identifier: Apache-2.0
// 200 threads launch 2000 kernels each, all at once, while the process forks helpers that leave by exit() and
// _exit().
#include "stand_in/cuda.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

int main() {
    constexpr int kThreads = 200, kLaunches = 2000, kChildren = 100;
    if (!initCuda())
        return 1;
    std::atomic<int> running{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t)
        threads.emplace_back([&running] {
            ++running;
            while (running < kThreads)
                std::this_thread::yield();
            for (int i = 0; i < kLaunches; ++i)
                launch("kernel");
        });
    int failed = 0;
    for (int i = 0; i < kChildren; ++i) {
        const pid_t pid = fork();
        if (pid == 0 && i % 2 == 0)
            std::exit(3);
        if (pid == 0)
            _exit(3);
        int status = 0;
        waitpid(pid, &status, 0);
        failed += WIFEXITED(status) && WEXITSTATUS(status) == 3 ? 0 : 1;
    }
    for (std::thread& thread : threads)
        thread.join();
    std::printf("failed children: %d\n", failed);
    return 0;
}
