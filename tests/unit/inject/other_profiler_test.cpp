// SPDX-License-Identifier: Apache-2.0
#include "collector/inject/other_profiler.h"
#include "tests/unit/temporary_folder.h"

#include <fstream>
#include <gmock/gmock.h>

namespace tacho {

namespace {

using testing::HasSubstr;
using testing::Not;

class OtherProfiler : public testing::Test {
  protected:
    std::string describedBy(const std::string& maps, const CuptiApi& api = {}) {
        const auto file = m_folder / "maps";
        std::ofstream(file) << maps;
        char text[512];
        describeOtherProfiler(api, file.c_str(), text, sizeof text);
        return text;
    }
    static std::string mapping(const std::string& file) {
        return "7f1c00000000-7f1c00021000 r-xp 00000000 08:01 1234    " + file + "\n";
    }

    test::TemporaryFolder m_folder;
};

CuptiApi cuptiThatTells() {
    CuptiApi api;
    api.subscribeV2 = [](CUpti_SubscriberHandle*, CUpti_CallbackFunc, void*, CUpti_SubscriberParams* params) {
        std::snprintf(params->oldSubscriberName, params->oldSubscriberSize, "CUPTI for Kineto");
        return CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
    };
    api.unsubscribe = [](CUpti_SubscriberHandle) { return CUPTI_SUCCESS; };
    return api;
}

} // namespace

TEST_F(OtherProfiler, IsNamedByItsLibrary) {
    EXPECT_THAT(describedBy(mapping("/opt/nsys/libToolsInjection64.so")), HasSubstr("(Nsight Systems)"));
    EXPECT_THAT(describedBy(mapping("/opt/ncu/libcuda-injection.so")), HasSubstr("(Nsight Compute)"));
}

TEST_F(OtherProfiler, IsProbablyTheFrameworksWhereNoOtherIsLoaded) {
    const std::string torch = mapping("/usr/lib/python3/torch/lib/libtorch_cpu.so");
    EXPECT_THAT(describedBy(torch), HasSubstr("(probably torch.profiler)"));
    EXPECT_THAT(describedBy(torch + mapping("/x/libToolsInjection64.so")), HasSubstr("(Nsight Systems)"));
}

TEST_F(OtherProfiler, IsNamedByCuptiWhereItKnows) {
    EXPECT_THAT(describedBy(mapping("/x/libToolsInjection64.so"), cuptiThatTells()),
                HasSubstr("(CUPTI for Kineto)"));
}

TEST_F(OtherProfiler, IsFoundWhereverThePiecesOfALongListAreCut) {
    for (std::size_t before = 8100; before < 8200; ++before)
        ASSERT_THAT(describedBy(std::string(before, 'x') + "libhpcrun.so\n" + std::string(9000, 'y')),
                    HasSubstr("(HPCToolkit)"))
            << before;
}

TEST_F(OtherProfiler, StaysWithoutANameWhereNothingIsKnown) {
    EXPECT_THAT(describedBy(mapping("/lib/libm.so.6")), HasSubstr("another profiler already uses CUPTI"));
    char text[512];
    describeOtherProfiler({}, "/no/such/file", text, sizeof text);
    EXPECT_THAT(text, HasSubstr("another profiler already uses CUPTI"));
}

} // namespace tacho
