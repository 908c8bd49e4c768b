// SPDX-License-Identifier: Apache-2.0
#include "collector/recorder/thread_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <latch>
#include <pthread.h>
#include <thread>
#include <unistd.h>

namespace tacho {

using testing::Contains;
using testing::IsEmpty;
using testing::Key;
using testing::Pair;

TEST(ThreadNamesTest, FindsTheNamesThatTheSystemKnows) {
    std::latch named(1);
    std::latch looked(1);
    std::uint32_t threadId = 0;
    std::thread worker([&] {
        pthread_setname_np(pthread_self(), "pt_data_worker");
        threadId = static_cast<std::uint32_t>(gettid());
        named.count_down();
        looked.wait();
    });
    named.wait();
    ThreadNames names;
    names.look(getpid());
    looked.count_down();
    worker.join();
    EXPECT_THAT(names.all(), Contains(Pair(threadId, "pt_data_worker")));
    EXPECT_THAT(names.all(), Contains(Key(static_cast<std::uint32_t>(getpid()))));
}

TEST(ThreadNamesTest, PrefersTheNamesGivenByNvtx) {
    ThreadNames names;
    names.setByNvtx(static_cast<std::uint32_t>(getpid()), "trainer");
    names.look(getpid());
    EXPECT_THAT(names.all(), Contains(Pair(static_cast<std::uint32_t>(getpid()), "trainer")));
}

TEST(ThreadNamesTest, FindsNothingOfAProcessThatIsGone) {
    constexpr std::int32_t kNoSuchProcess = 0x3fffffff; // beyond any pid_max
    ThreadNames names;
    names.look(kNoSuchProcess);
    EXPECT_THAT(names.all(), IsEmpty());
}

} // namespace tacho
