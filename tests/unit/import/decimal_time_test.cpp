// SPDX-License-Identifier: Apache-2.0
#include "analyzer/import/decimal_time.h"

#include <gtest/gtest.h>

namespace tacho {
namespace {

TEST(DecimalTime, ReadsMicrosecondsExactlyToTheNanosecond) {
    EXPECT_EQ(nanosecondsOfMicroseconds("0"), 0);
    EXPECT_EQ(nanosecondsOfMicroseconds("5127441.386"), 5'127'441'386);
    EXPECT_EQ(nanosecondsOfMicroseconds("1623143089861302"), 1'623'143'089'861'302'000);
    EXPECT_EQ(nanosecondsOfMicroseconds("1751410836123456.789"),
              1'751'410'836'123'456'789); // double loses 6 bits
    EXPECT_EQ(nanosecondsOfMicroseconds("1.5"), 1'500);
    EXPECT_EQ(nanosecondsOfMicroseconds(" 7.25 "), 7'250);
    EXPECT_EQ(nanosecondsOfMicroseconds("-2.001"), -2'001);
    EXPECT_EQ(nanosecondsOfMicroseconds("0.0005"), 1);
    EXPECT_EQ(nanosecondsOfMicroseconds("0.9994"), 999);
    EXPECT_EQ(nanosecondsOfMicroseconds("1.5e3"), 1'500'000);
}

TEST(DecimalTime, RefusesWhatIsNoNumberOrDoesNotFit) {
    for (const char* text : {"", "-", "N/A", "\"7\"", "1.2.3", "12abc", "--3", "99999999999999999999",
                             "1e300", "9223372036854775807"})
        EXPECT_FALSE(nanosecondsOfMicroseconds(text)) << text;
}

TEST(DecimalTime, LeadingIntegerTakesQuotedNumbersToo) {
    EXPECT_EQ(leadingInteger("42"), 42);
    EXPECT_EQ(leadingInteger("\"4093687616\""), 4'093'687'616);
    EXPECT_EQ(leadingInteger("-1 "), -1);
    EXPECT_EQ(leadingInteger("7.0"), 7);
    EXPECT_FALSE(leadingInteger("\"stream 7\""));
    EXPECT_FALSE(leadingInteger("10159970886766084423")); // more than 2^63
    EXPECT_FALSE(leadingInteger(""));
}

} // namespace
} // namespace tacho
