// SPDX-License-Identifier: Apache-2.0
// The sampler on a table of functions that plays NVML.
#include "collector/counters/nvml_sampler.h"

#include "tests/unit/counters/counter_spool.h"
#include "tests/unit/temporary_folder.h"

#include <gmock/gmock.h>

namespace tacho {
namespace {

using nvml::Device;
using nvml::Result;
using testing::ElementsAre;
using testing::HasSubstr;

int fakeDevice = 0;
Device* const kDevice = reinterpret_cast<Device*>(&fakeDevice);

nvml::Api fakeNvml() {
    nvml::Api api;
    api.errorString = [](Result result) { return result == nvml::kNotSupported ? "Not Supported" : "Other"; };
    api.deviceByUuid = [](const char* uuid, Device** device) -> Result {
        *device = kDevice;
        return std::string_view(uuid) == "GPU-1" ? nvml::kSuccess : 6;
    };
    api.deviceByBusId = [](const char* bus, Device** device) -> Result {
        *device = kDevice;
        return std::string_view(bus) == "0000:3b:00.0" ? nvml::kSuccess : 6;
    };
    api.memoryInfo = [](Device*, nvml::Memory* memory) -> Result {
        memory->used = 4096;
        return memory->version == 0x02000028 ? nvml::kSuccess : 25;
    };
    api.clockInfo = [](Device*, int type, unsigned* mhz) -> Result {
        *mhz = type == nvml::kSmClock ? 1980 : 1;
        return nvml::kSuccess;
    };
    api.throttleReasons = [](Device*, unsigned long long* mask) -> Result {
        *mask = 4;
        return nvml::kSuccess;
    };
    api.powerUsage = [](Device*, unsigned* milliwatts) -> Result {
        *milliwatts = 700'000;
        return nvml::kSuccess;
    };
    return api;
}

class NvmlSampling : public testing::Test {
  protected:
    std::vector<std::string> lines() {
        log.flush();
        return test::counterLines(file);
    }
    test::TemporaryFolder folder;
    std::filesystem::path file = folder / "counters-nvml.spool";
    CounterLog log{file};
};

TEST_F(NvmlSampling, EveryWatchedGpuIsRead) {
    NvmlSampler sampler(log, fakeNvml);
    sampler.watch({"GPU-1", "0000:01:00.0"});
    sampler.sample(100);
    EXPECT_THAT(lines(),
                ElementsAre("GPU-1 Memory Used [bytes] @100 = 4096", "GPU-1 SM Clock [MHz] @100 = 1980",
                            "GPU-1 Throttle Reasons [mask] @100 = 4", "GPU-1 Power [mW] @100 = 700000"));
}

TEST_F(NvmlSampling, AGpuWithAnUnknownUuidIsFoundByItsBusLocation) {
    NvmlSampler sampler(log, fakeNvml);
    sampler.watch({"GPU-slice", "0000:3b:00.0"});
    sampler.sample(100);
    EXPECT_THAT(lines().front(), HasSubstr("GPU-slice Memory"));
}

TEST_F(NvmlSampling, WithoutTheDriversLibraryOneNoteSaysSo) {
    NvmlSampler sampler(log, [] {
        nvml::Api api;
        api.problem = "the library was not found";
        return api;
    });
    sampler.watch({"GPU-1", ""});
    sampler.watch({"GPU-2", ""});
    sampler.sample(100);
    EXPECT_THAT(lines(), ElementsAre("no_nvml: memory, clock and power of GPU-1 are not recorded: NVML: the "
                                     "library was not found"));
}

TEST_F(NvmlSampling, ACounterThatTheGpuLacksIsNamedOnceAndTheOthersGoOn) {
    NvmlSampler sampler(log, [] {
        nvml::Api api = fakeNvml();
        api.powerUsage = [](Device*, unsigned*) -> Result { return nvml::kNotSupported; };
        api.throttleReasons = [](Device*, unsigned long long*) -> Result { return nvml::kNotSupported; };
        return api;
    });
    sampler.watch({"GPU-1", ""});
    sampler.sample(100);
    sampler.sample(200);
    EXPECT_THAT(lines(),
                ElementsAre("GPU-1 Memory Used [bytes] @100 = 4096", "GPU-1 SM Clock [MHz] @100 = 1980",
                            "counters_missing: NVML does not tell of every GPU: Throttle Reasons "
                            "[mask], Power [mW] (Not Supported)",
                            "GPU-1 Memory Used [bytes] @200 = 4096", "GPU-1 SM Clock [MHz] @200 = 1980"));
}

} // namespace
} // namespace tacho
