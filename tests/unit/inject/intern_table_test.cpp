// SPDX-License-Identifier: Apache-2.0
#include "collector/inject/intern_table.h"

#include <gtest/gtest.h>
#include <string>

namespace tacho {

TEST(InternTableTest, GivesEachContentOneIdThroughEveryGrowth) {
    InternTable table;
    constexpr std::uint32_t kContents = 20000; // several times the first capacity
    for (int round = 0; round < 2; ++round) {
        for (std::uint32_t i = 0; i < kContents; ++i) {
            const std::string content = "kernel_" + std::to_string(i);
            const InternTable::Entry entry = table.intern(content.data(), content.size());
            EXPECT_EQ(entry.id, i + 1);
            EXPECT_EQ(entry.isNew, round == 0);
        }
    }
}

TEST(InternTableTest, TellsContentsApartThatDifferInLengthOrOneBit) {
    EXPECT_NE(contentHash("abcdefgh", 8), contentHash("abcdefgh\0", 9));
    EXPECT_NE(contentHash("", 0), contentHash("\0", 1));
    std::string text(100, 'x');
    const std::uint64_t before = contentHash(text.data(), text.size());
    for (char& c : text) {
        c ^= 1;
        EXPECT_NE(contentHash(text.data(), text.size()), before);
        c ^= 1;
    }
}

TEST(InternTableTest, ForgetsOnReset) {
    InternTable table;
    (void)table.intern("a", 1);
    table.reset();
    EXPECT_TRUE(table.intern("a", 1).isNew);
}

} // namespace tacho
