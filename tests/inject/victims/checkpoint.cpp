// SPDX-License-Identifier: Apache-2.0
// A training that saves its state when it is asked to stop: prints the signal's number and ends with 70 + it.
#include <csignal>
#include <cstdio>
#include <nvtx3/nvToolsExt.h>
#include <unistd.h>

namespace {
volatile std::sig_atomic_t caught = 0;
} // namespace

int main() {
    std::signal(SIGTERM, [](int signal) { caught = signal; });
    std::signal(SIGINT, [](int signal) { caught = signal; });
    std::signal(SIGUSR1, [](int signal) { caught = signal; });
    nvtxMarkA("training");
    std::puts("ready");
    std::fflush(stdout);
    while (caught == 0)
        pause();
    nvtxMarkA("checkpoint");
    std::printf("checkpoint %d\n", static_cast<int>(caught));
    return 70 + caught;
}
