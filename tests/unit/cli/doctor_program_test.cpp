// SPDX-License-Identifier: Apache-2.0
// `tacho doctor` as a user runs it. What it finds depends on the machine; that it finds all lines does not.
#include "tests/unit/cli/program.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <set>

namespace tacho {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsSubsetOf;

TEST(DoctorProgram, NamesEachCheckAndItsConditionAsJson) {
    const Workplace here;
    const auto outcome = runTacho({"doctor", "--format", "json"});
    const auto document = nlohmann::json::parse(outcome.out);
    EXPECT_EQ(document["tacho"]["doctor_format"], 1);
    EXPECT_EQ(outcome.status, document["can_record"].get<bool>() ? 0 : 3);
    std::set<std::string> names;
    for (const auto& line : document["checks"]) {
        names.insert(line["check"].get<std::string>());
        EXPECT_EQ(line["condition"] == "ok", line["lost"] == "") << line;
        EXPECT_EQ(line["condition"] == "ok", line["fix"] == "") << line;
    }
    EXPECT_THAT((std::set<std::string>{"library", "driver", "cupti", "python", "output"}), IsSubsetOf(names));
}

TEST(DoctorProgram, SaysInTextWhatIsLostAndHowToMendIt) {
    const Workplace here;
    const auto outcome = runTacho({"doctor", "--output", "absent"}, {"CUDA_LAUNCH_BLOCKING=1"});
    EXPECT_EQ(outcome.status, 3);
    EXPECT_THAT(outcome.out,
                AllOf(HasSubstr("absent cannot be written"), HasSubstr("fix:  choose another place"),
                      HasSubstr("CUDA_LAUNCH_BLOCKING is set"), HasSubstr("lost: the true step time")));
}

TEST(DoctorProgram, TellsACuptiThatIsNotThere) {
    const Workplace here;
    const auto outcome =
        runTacho({"doctor", "--cupti", "/no/such/libcupti.so", "--python", "no-such-python"});
    EXPECT_EQ(outcome.status, 3);
    EXPECT_THAT(outcome.out,
                AllOf(HasSubstr("/no/such/libcupti.so"), HasSubstr("there is no program no-such-python")));
}

} // namespace
} // namespace tacho
