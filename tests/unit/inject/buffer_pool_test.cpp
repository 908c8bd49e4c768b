// SPDX-License-Identifier: Apache-2.0
#include "collector/inject/buffer_pool.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>
#include <thread>
#include <vector>

namespace tacho {

namespace {

bool isZero(const std::uint8_t* buffer) {
    return std::all_of(buffer, buffer + BufferPool::kBufferBytes,
                       [](std::uint8_t byte) { return byte == 0; });
}

} // namespace

TEST(BufferPoolTest, HandsOutEachBufferOnceAndThenNone) {
    BufferPool pool;
    ASSERT_TRUE(pool.reserve());
    std::set<std::uint8_t*> buffers;
    for (std::uint32_t i = 0; i < BufferPool::kBuffers; ++i)
        EXPECT_TRUE(buffers.insert(pool.take()).second);
    EXPECT_FALSE(buffers.contains(nullptr));
    EXPECT_EQ(pool.take(), nullptr);
}

TEST(BufferPoolTest, DeliversCompletedBuffersOldestFirst) {
    BufferPool pool;
    ASSERT_TRUE(pool.reserve());
    std::vector<std::uint8_t*> buffers;
    for (std::size_t i = 1; i <= 3; ++i) {
        buffers.push_back(pool.take());
        pool.complete(buffers.back(), i);
    }
    for (std::size_t i = 1; i <= 3; ++i) {
        const BufferPool::Completed completed = pool.takeCompleted();
        EXPECT_EQ(completed.data, buffers[i - 1]);
        EXPECT_EQ(completed.validBytes, i);
    }
    EXPECT_EQ(pool.takeCompleted().data, nullptr);
}

TEST(BufferPoolTest, GivesBackOnlyZeroedBuffers) {
    BufferPool pool;
    ASSERT_TRUE(pool.reserve());
    std::uint8_t* buffer = pool.take();
    std::fill(buffer, buffer + 1000, std::uint8_t{7});
    pool.complete(buffer, 1000);
    pool.giveBack(pool.takeCompleted());
    std::uint8_t* again = pool.take();
    EXPECT_EQ(again, buffer);
    EXPECT_TRUE(isZero(again));
}

TEST(BufferPoolTest, LosesNothingUnderManyThreads) {
    BufferPool pool;
    ASSERT_TRUE(pool.reserve());
    constexpr int kThreads = 8;
    constexpr int kRounds = 500;
    std::atomic<int> completed{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t)
        threads.emplace_back([&] {
            for (int i = 0; i < kRounds;)
                if (std::uint8_t* buffer = pool.take()) {
                    ASSERT_EQ(buffer[0], 0);
                    buffer[0] = 1; // two owners of one buffer would see this
                    pool.complete(buffer, 1);
                    ++completed;
                    ++i;
                }
        });
    int drained = 0;
    while (drained < kThreads * kRounds) {
        const BufferPool::Completed buffer = pool.takeCompleted();
        if (buffer.data) {
            ++drained;
            pool.giveBack(buffer);
        }
    }
    for (std::thread& thread : threads)
        thread.join();
    EXPECT_EQ(completed, drained);
}

} // namespace tacho
