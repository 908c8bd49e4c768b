// SPDX-License-Identifier: Apache-2.0
#include "collector/inject/cupti_api.h"
#include "collector/inject/spool_format.h"

#include <cstdlib>
#include <gmock/gmock.h>

namespace tacho {

using testing::HasSubstr;

class ChosenCupti : public testing::Test {
  protected:
    static CuptiApi load(const char* file) {
        setenv(spool::kCuptiVariable, file, 1);
        const CuptiApi api = loadCupti();
        unsetenv(spool::kCuptiVariable);
        return api;
    }
};

TEST_F(ChosenCupti, IsNamedWhereItIsNotThereAndNoOtherIsTaken) {
    const CuptiApi api = load("/no/such/libcupti.so.13");
    ASSERT_NE(api.problem, nullptr);
    EXPECT_THAT(api.problem, HasSubstr("TACHO_CUPTI"));
    EXPECT_THAT(api.problem, HasSubstr("/no/such/libcupti.so.13"));
    EXPECT_EQ(api.subscribe, nullptr);
}

TEST_F(ChosenCupti, IsRefusedWhereItIsAnotherLibrary) {
    const CuptiApi api = load("libm.so.6");
    ASSERT_NE(api.problem, nullptr);
    EXPECT_THAT(api.problem, HasSubstr("(libm.so.6) lacks functions"));
}

} // namespace tacho
