// SPDX-License-Identifier: Apache-2.0
// 200 threads that are all alive at once open and close 500 nested pairs of ranges each.
#include <atomic>
#include <nvtx3/nvToolsExt.h>
#include <thread>
#include <vector>

int main() {
    constexpr int kThreads = 200, kPairs = 500;
    std::atomic<int> running{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t)
        threads.emplace_back([&running] {
            ++running;
            while (running < kThreads)
                std::this_thread::yield();
            for (int i = 0; i < kPairs; ++i) {
                nvtxRangePushA("outer");
                nvtxRangePushA("inner");
                nvtxRangePop();
                nvtxRangePop();
            }
        });
    for (std::thread& thread : threads)
        thread.join();
    return 0;
}
