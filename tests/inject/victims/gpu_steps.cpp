// SPDX-License-Identifier: Apache-2.0
// A training of so many steps: 20 kernels each, half of them from a second thread. `end` is its only
// argument.
#include "stand_in/cuda.h"

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <dlfcn.h>
#include <thread>

namespace {

void launchTen() {
    for (int i = 0; i < 10; ++i)
        launch("kernel");
}

} // namespace

int main(int, char** arguments) {
    void* const library = dlopen(std::getenv("CUDA_INJECTION64_PATH"), RTLD_NOW);
    auto* const attach = reinterpret_cast<int (*)()>(dlsym(library, "tacho_attach"));
    auto* const endStep = reinterpret_cast<void (*)(std::uint64_t)>(dlsym(library, "tacho_step_end"));
    if (attach() != 1 || !initCuda())
        return 1;
    const auto end = std::strtoul(arguments[1], nullptr, 10);
    for (std::uint64_t step = 0; step < end; ++step) {
        std::thread backward(launchTen);
        launchTen();
        backward.join();
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        endStep(step);
    }
    return 0;
}
