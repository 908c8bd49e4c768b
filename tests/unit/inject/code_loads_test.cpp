// SPDX-License-Identifier: Apache-2.0
// Loads of GPU code through the subscriber's callback, into the spool of a session that records.
#include "collector/inject/code_loads.h"
#include "collector/inject/hook_api.h"
#include "collector/inject/session.h"
#include "tests/unit/inject/fake_cupti.h"
#include "tests/unit/inject/module_code.h"
#include "tests/unit/inject/spool_contents.h"

#include <cstdlib>
#include <gtest/gtest.h>

namespace tacho {
namespace {

struct FunctionsOfOneModule {
    spool::ModuleCode head;
    spool::FunctionCode first;
};

void call(CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* data) {
    FakeCupti::subscriber(FakeCupti::subscriberData, domain, id, data);
}

// One process has one session in its life: so one test.
TEST(CodeLoads, ModulesAndLoadingCallsAreRecordedWhileNoWindowIsOpen) {
    FakeCupti::reset();
    const SpoolDirectory directory;
    ASSERT_EQ(setenv(spool::kDirectoryVariable, directory.path(), 1), 0);
    SpoolFile unused;
    ASSERT_EQ(cuptiSource().attach(FakeCupti::api(), unused, CuptiSource::Detail::Calls), nullptr);

    CUpti_CallbackData load{};
    std::uint64_t betweenEnterAndExit = 0;
    CUresult result = CUDA_ERROR_NO_BINARY_FOR_GPU;
    load.correlationId = 42;
    load.correlationData = &betweenEnterAndExit;
    load.functionReturnValue = &result;
    const std::string code = moduleCode(90, {0x000000080408723c, 0x004fee00000018ff}); // HMMA of FP16
    CUpti_ModuleResourceData module{};
    module.moduleId = 7;
    module.cubinSize = code.size();
    module.pCubin = code.data();
    CUpti_ResourceData resource{};
    int context = 0;
    resource.context = reinterpret_cast<CUcontext>(&context);
    resource.resourceDescriptor = &module;
    const auto loadOne = [&] {
        load.callbackSite = CUPTI_API_ENTER;
        call(CUPTI_CB_DOMAIN_DRIVER_API, 2, &load);
        call(CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_MODULE_LOADED, &resource);
        load.callbackSite = CUPTI_API_EXIT;
        call(CUPTI_CB_DOMAIN_DRIVER_API, 2, &load);
    };
    loadOne(); // no session yet: nothing happens
    ASSERT_EQ(tacho_attach(), 1);
    loadOne();
    tacho_flush();

    const SpoolContents contents(directory.onlyFile());
    const auto modules = contents.all<spool::Module>(spool::RecordType::Module);
    ASSERT_EQ(modules.size(), 1U);
    EXPECT_EQ(modules[0].moduleId, 7U);
    EXPECT_EQ(modules[0].architecture, 90U);
    EXPECT_EQ(modules[0].codeBytes, code.size());
    EXPECT_EQ(modules[0].deviceId, 3U); // as the fake CUPTI says of every context
    const auto functions = contents.all<FunctionsOfOneModule>(spool::RecordType::ModuleCode);
    ASSERT_EQ(functions.size(), 1U);
    EXPECT_EQ(functions[0].head.moduleId, 7U);
    EXPECT_EQ(functions[0].head.functions, 1U);
    EXPECT_EQ(functions[0].first.nameHash, spool::functionNameHash("f", 1));
    EXPECT_EQ(functions[0].first.uses, spool::TensorFp16);
    const auto loads = contents.all<spool::ApiCall>(spool::RecordType::ApiCall);
    ASSERT_EQ(loads.size(), 1U);
    EXPECT_EQ(loads[0].correlationId, 42U);
    EXPECT_EQ(loads[0].apiClass, 1U);
    EXPECT_EQ(loads[0].returnValue, CUDA_ERROR_NO_BINARY_FOR_GPU);
    EXPECT_LE(loads[0].startNs, modules[0].timeNs);
    EXPECT_LE(modules[0].timeNs, loads[0].endNs);
    session().stop();
}

} // namespace
} // namespace tacho
