// SPDX-License-Identifier: Apache-2.0
// What `tacho doctor` says about the driver, CUPTI and the GPU's counters.
#include "collector/doctor/checks.h"
#include "tests/unit/doctor/fake_machine.h"

#include <gmock/gmock.h>

namespace tacho {

namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr char kDriverVersion[] =
    "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.95.05  Release Build  (root@host)\n"
    "GCC version:  gcc version 13.3.0\n";

DriverProbe driverOf(int cudaVersion) {
    return {.problem = "", .cudaVersion = cudaVersion, .gpus = {"NVIDIA H200"}};
}

CuptiProbe cuptiOf(std::uint32_t version) {
    return {.problem = "", .file = "/x/libcupti.so", .version = version};
}

} // namespace

TEST(DoctorDriver, TellsTheVersionAndTheGpus) {
    FakeMachine machine;
    const Diagnoses lines =
        checkDriver(machine.with("proc/driver/nvidia/version", kDriverVersion), driverOf(13000));
    ASSERT_THAT(lines, SizeIs(2));
    EXPECT_EQ(lines[0].condition, Condition::Ok);
    EXPECT_EQ(lines[0].found, "NVIDIA driver 580.95.05, for CUDA up to 13.0");
    EXPECT_EQ(lines[1].condition, Condition::Ok);
    EXPECT_EQ(lines[1].found, "1 (NVIDIA H200)");
}

TEST(DoctorDriver, IsBrokenWithoutADriver) {
    const Diagnoses lines = checkDriver(FakeMachine(), {.problem = "libcuda.so.1: not found", .gpus = {}});
    ASSERT_THAT(lines, SizeIs(1));
    EXPECT_EQ(lines[0].condition, Condition::Broken);
    EXPECT_THAT(lines[0].fix, HasSubstr("install the NVIDIA driver"));
}

TEST(DoctorDriver, TellsAContainerWithoutItsLibraryFromAMachineWithoutADriver) {
    FakeMachine machine;
    const Diagnoses lines = checkDriver(machine.with("proc/driver/nvidia/version", kDriverVersion),
                                        {.problem = "libcuda.so.1: not found", .gpus = {}});
    EXPECT_THAT(lines.at(0).found, HasSubstr("580.95.05"));
    EXPECT_THAT(lines.at(0).fix, HasSubstr("libcuda.so.1"));
}

TEST(DoctorDriver, SaysThatAVariableHidesAllGpus) {
    FakeMachine machine;
    const Diagnoses lines = checkDriver(machine.set("CUDA_VISIBLE_DEVICES", ""),
                                        {.problem = "", .cudaVersion = 12040, .gpus = {}});
    ASSERT_THAT(lines, SizeIs(2));
    EXPECT_EQ(lines[1].condition, Condition::Broken);
    EXPECT_THAT(lines[1].found, HasSubstr("CUDA_VISIBLE_DEVICES"));
}

TEST(DoctorDriver, RefusesADriverThatIsTooOld) {
    EXPECT_EQ(checkDriver(FakeMachine(), driverOf(11040)).at(0).condition, Condition::Broken);
}

TEST(DoctorCupti, FitsADriverOfTheSameOrANewerCuda) {
    for (const std::uint32_t version : {18U, 19U, 28U, 130001U}) {
        const Diagnoses lines = checkCupti(cuptiOf(version), {}, driverOf(13000));
        ASSERT_THAT(lines, SizeIs(1));
        EXPECT_EQ(lines[0].condition, Condition::Ok) << version;
    }
    EXPECT_EQ(checkCupti(cuptiOf(130001), {}, driverOf(13000)).at(0).found, "CUPTI 13.0, /x/libcupti.so");
    EXPECT_THAT(checkCupti(cuptiOf(28), {}, driverOf(13000)).at(0).found, HasSubstr("CUDA 12"));
}

TEST(DoctorCupti, IsTooNewForAnOlderDriver) {
    const Diagnoses lines = checkCupti(cuptiOf(130001), {}, driverOf(12080));
    EXPECT_EQ(lines.at(0).condition, Condition::Broken);
    EXPECT_THAT(lines.at(0).fix, HasSubstr("CUPTI of CUDA 12"));
}

TEST(DoctorCupti, IsTooOldOrNewerThanWeKnow) {
    EXPECT_EQ(checkCupti(cuptiOf(17), {}, driverOf(13000)).at(0).condition, Condition::Broken);
    EXPECT_EQ(checkCupti(cuptiOf(139900), {}, driverOf(13090)).at(0).condition, Condition::Limited);
}

TEST(DoctorCupti, MayBePyTorchsAlone) {
    const CuptiProbe none = {.problem = "no CUPTI library is installed", .file = ""};
    EXPECT_EQ(checkCupti(none, {}, driverOf(13000)).at(0).condition, Condition::Broken);
    PythonProbe python;
    python.cupti = "/site-packages/nvidia/cu13/lib/libcupti.so.13";
    const Diagnoses lines = checkCupti(none, python, driverOf(13000));
    EXPECT_EQ(lines.at(0).condition, Condition::Limited);
    EXPECT_THAT(lines.at(0).found, HasSubstr(python.cupti));
}

TEST(DoctorCounters, AreForAdministratorsWhereTheDriverSaysSo) {
    const std::string user = "Name:\ttacho\nCapEff:\t0000000000000000\n";
    const std::string root = "Name:\ttacho\nCapEff:\t000001ffffffffff\n";
    const auto conditionWith = [](const std::string& params, const std::string& status) {
        FakeMachine machine;
        machine.with("proc/driver/nvidia/params", params).with("proc/self/status", status);
        return checkCounters(machine).at(0).condition;
    };
    EXPECT_EQ(conditionWith("Mobile: 4\nRmProfilingAdminOnly: 1\n", user), Condition::Limited);
    EXPECT_EQ(conditionWith("Mobile: 4\nRmProfilingAdminOnly: 1\n", root), Condition::Ok);
    EXPECT_EQ(conditionWith("Mobile: 4\nRmProfilingAdminOnly: 0\n", user), Condition::Ok);
    EXPECT_THAT(checkCounters(FakeMachine()), IsEmpty()) << "the line on the driver says enough";
}

} // namespace tacho
