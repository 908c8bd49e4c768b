// SPDX-License-Identifier: Apache-2.0
// Counts SIGTERM and SIGINT until 0.3 s after the first one. With an argument: in a process group of its own.
#include <csignal>
#include <cstdio>
#include <unistd.h>

namespace {
volatile std::sig_atomic_t count = 0;
} // namespace

int main(int argc, char**) {
    if (argc > 1)
        setpgid(0, 0);
    std::signal(SIGTERM, [](int) { count = count + 1; });
    std::signal(SIGINT, [](int) { count = count + 1; });
    std::puts("ready");
    std::fflush(stdout);
    while (count == 0)
        pause();
    for (int i = 0; i < 300; ++i)
        usleep(1000);
    std::printf("signals %d\n", static_cast<int>(count));
    return 0;
}
