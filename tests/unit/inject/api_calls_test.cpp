// SPDX-License-Identifier: Apache-2.0
// Calls of the CUDA API through CUPTI's callbacks, into the spool of a session that records.
#include "collector/inject/api_calls.h"
#include "collector/inject/hook_api.h"
#include "collector/inject/session.h"
#include "tests/unit/inject/fake_cupti.h"
#include "tests/unit/inject/spool_contents.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <thread>

namespace tacho {
namespace {

constexpr CUpti_CallbackId kGetDevice = 1, kLaunchKernel = 2;  // of FakeCupti::runtimeNames
constexpr CUpti_CallbackId kDriverLaunch = 1, kModuleLoad = 2; // of FakeCupti::driverNames

/// What CUPTI does around a call that `inside` happens in; nothing where nobody asked for that call.
template <typename Inside>
void call(CUpti_CallbackDomain domain, CUpti_CallbackId id, std::uint32_t correlation, Inside inside) {
    CUpti_CallbackData data{};
    std::uint64_t betweenEnterAndExit = 0;
    int result = 3;
    data.correlationId = correlation;
    data.correlationData = &betweenEnterAndExit;
    data.functionReturnValue = &result;
    const auto at = [&](CUpti_ApiCallbackSite site) {
        data.callbackSite = site;
        if (FakeCupti::callbacks.contains({domain, id}))
            FakeCupti::subscriber(FakeCupti::subscriberData, domain, id, &data);
    };
    at(CUPTI_API_ENTER);
    inside();
    at(CUPTI_API_EXIT);
}

void call(CUpti_CallbackDomain domain, CUpti_CallbackId id, std::uint32_t correlation) {
    call(domain, id, correlation, [] {});
}

// One process has one session in its life: so one test.
TEST(ApiCalls, AreRecordedOnceEachWhileAWindowIsOpen) {
    FakeCupti::reset();
    const SpoolDirectory directory;
    ASSERT_EQ(setenv(spool::kDirectoryVariable, directory.path(), 1), 0);
    ASSERT_EQ(tacho_attach(), 1);
    SpoolFile unused;
    ASSERT_EQ(cuptiSource().attach(FakeCupti::api(), unused, CuptiSource::Detail::Calls), nullptr);
    constexpr auto kRuntime = CUPTI_CB_DOMAIN_RUNTIME_API, kDriver = CUPTI_CB_DOMAIN_DRIVER_API;

    call(kRuntime, kLaunchKernel, 1); // no window is open
    call(kDriver, kModuleLoad, 2);    // loads of code are always recorded
    call(kRuntime, kLaunchKernel, 3, [] { ASSERT_TRUE(cuptiSource().open()); }); // began before
    call(kRuntime, kLaunchKernel, 4, [] { call(kDriver, kDriverLaunch, 4); });   // one call, not two
    call(kDriver, kDriverLaunch, 5);                                             // without the runtime
    call(kRuntime, kGetDevice, 6);                                               // not on the list
    call(kRuntime, kLaunchKernel, 7, [] { cuptiSource().close(); });             // ends after
    call(kRuntime, kLaunchKernel, 8);
    call(kDriver, kModuleLoad, 9); // the call that CUPTI did not tell us the end of is not in the way
    std::thread([] { call(kDriver, kModuleLoad, 10); }).join();
    tacho_flush();

    const SpoolContents contents(directory.onlyFile());
    std::vector<std::uint32_t> recorded;
    for (const auto& each : contents.all<spool::ApiCall>(spool::RecordType::ApiCall)) {
        recorded.push_back(each.correlationId);
        EXPECT_LE(each.startNs, each.endNs);
        EXPECT_EQ(each.returnValue, 3);
    }
    EXPECT_EQ(recorded, (std::vector<std::uint32_t>{2, 4, 5, 9, 10}));
    const auto calls = contents.all<spool::ApiCall>(spool::RecordType::ApiCall);
    EXPECT_EQ(contents.strings.at(calls[0].name), "cuModuleLoadData");
    EXPECT_EQ(calls[0].apiClass, 1U);
    EXPECT_EQ(contents.strings.at(calls[1].name), "cudaLaunchKernel_v7000");
    EXPECT_EQ(calls[1].apiClass, 0U);
    EXPECT_EQ(contents.strings.at(calls[2].name), "cuLaunchKernel");
    EXPECT_NE(calls[3].threadId, calls[4].threadId);
    session().stop();
}

} // namespace
} // namespace tacho
