// SPDX-License-Identifier: Apache-2.0
#include "analyzer/import/json_repair.h"
#include "analyzer/import/open_trace.h"
#include "tests/unit/import/temp_files.h"

#include <nlohmann/json.hpp>
#include <random>

namespace tacho {
namespace {

TEST(RepairedJson, ReplacesWhatJsonDoesNotAllow) {
    EXPECT_EQ(repairedJson("{\"a\": \"x\x01y\tz\"}"), "{\"a\": \"x?y?z\"}") << "control characters";
    EXPECT_EQ(repairedJson("{\"a\": \"\xff\xc3x\xe2\x82\"}"), "{\"a\": \"??x??\"}") << "not UTF-8";
    EXPECT_EQ(repairedJson("{\"a\": \"C:\\q\\u12\"}"), "{\"a\": \"C:?q?u12\"}") << "no escapes";
}

TEST(RepairedJson, LeavesTheRestAlone) {
    for (const char* const right :
         {"{\"a\": \"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\"}", "{\n\t\"a\":\r1}",
          "{\"a\": \"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80\"}", "{\"a\": \"\\\\\"}"})
        EXPECT_EQ(repairedJson(right), right);
}

TEST(RepairedJson, AnyTextInAStringBecomesReadable) {
    std::mt19937 engine(7);
    for (int round = 0; round < 2000; ++round) {
        std::string text;
        for (int i = 0; i < 12; ++i)
            text += static_cast<char>(engine());
        text.erase(std::remove(text.begin(), text.end(), '"'), text.end()); // it would end the string
        text.push_back('.'); // a backslash before the end would not
        EXPECT_TRUE(nlohmann::json::accept(repairedJson("{\"name\": \"" + text + "\"}"))) << text;
    }
}

class RepairedEvents : public TempFiles {};

TEST_F(RepairedEvents, AreReadAndCounted) {
    const auto kernel = [](const std::string& name, int at) {
        return R"({"ph": "X", "cat": "kernel", "name": ")" + name + R"(", "pid": 0, "tid": 7, "ts": )" +
               std::to_string(at) + R"(, "dur": 1, "args": {"device": 0, "stream": 7}})";
    };
    const Trace trace =
        openTrace({write("x.json", "[" + kernel("good", 1) + "," + kernel("C:\\kernel", 2) + "," +
                                       kernel("a\x02z", 3) + "," + kernel("\xfe", 4) + "]")});
    ASSERT_EQ(trace.gpuOps.size(), 4U);
    EXPECT_EQ(trace.text(trace.gpuOps.name[1]), "C:?kernel");
    EXPECT_EQ(trace.text(trace.gpuOps.name[2]), "a?z");
    EXPECT_EQ(healthCount(trace, "repaired_event"), 3);
    EXPECT_EQ(healthCount(trace, "bad_event"), 0);
}

} // namespace
} // namespace tacho
