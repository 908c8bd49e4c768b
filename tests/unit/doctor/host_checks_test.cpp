// SPDX-License-Identifier: Apache-2.0
// What `tacho doctor` says about all that is not the GPU.
#include "collector/doctor/checks.h"
#include "tests/unit/doctor/fake_machine.h"

#include <gmock/gmock.h>
#include <limits>
#include <sys/stat.h>

namespace tacho {

namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

PythonProbe pythonWithTorch() {
    PythonProbe python;
    python.version = "3.11.2";
    python.loadsHook = true;
    python.torch = "2.11.0+cu130";
    python.torchCuda = "13.0";
    return python;
}

} // namespace

TEST(DoctorVariables, AreOkWhereNoneMatters) {
    FakeMachine machine;
    const Diagnoses lines = checkVariables(machine.set("LD_PRELOAD", "/usr/lib/libjemalloc.so.2"));
    ASSERT_THAT(lines, SizeIs(1));
    EXPECT_EQ(lines[0].condition, Condition::Ok);
}

TEST(DoctorVariables, NameTheToolWhoseInjectionIsReplaced) {
    FakeMachine machine;
    const Diagnoses lines = checkVariables(machine.set("CUDA_INJECTION64_PATH", "/x/libToolsInjection64.so")
                                               .set("NVTX_INJECTION64_PATH", "/y/libother.so"));
    ASSERT_THAT(lines, SizeIs(2));
    EXPECT_EQ(lines[0].condition, Condition::Limited);
    EXPECT_THAT(lines[0].found, HasSubstr("(Nsight Systems)"));
    EXPECT_THAT(lines[1].found, HasSubstr("NVTX_INJECTION64_PATH is set to /y/libother.so"));
}

TEST(DoctorVariables, AreBrokenUnderAnotherProfiler) {
    FakeMachine preloaded;
    const Diagnoses lines = checkVariables(preloaded.set("LD_PRELOAD", "/x/libhpcrun.so"));
    EXPECT_EQ(lines.at(0).condition, Condition::Broken);
    EXPECT_THAT(lines.at(0).found, HasSubstr("HPCToolkit"));
    FakeMachine nsys;
    EXPECT_EQ(checkVariables(nsys.set("NSYS_PROFILING_SESSION_ID", "1")).at(0).condition, Condition::Broken);
}

TEST(DoctorVariables, TellWhatMakesTimesUntrue) {
    FakeMachine machine;
    machine.set("CUDA_LAUNCH_BLOCKING", "1").set("KINETO_USE_DAEMON", "1");
    EXPECT_THAT(checkVariables(machine), SizeIs(2));
    FakeMachine off;
    EXPECT_EQ(checkVariables(off.set("CUDA_LAUNCH_BLOCKING", "0")).at(0).condition, Condition::Ok);
}

TEST(DoctorOtherTools, AreSeenByTheNamesOfProcesses) {
    FakeMachine machine;
    machine.with("proc/1/comm", "init\n").with("proc/self/comm", "nsys\n");
    EXPECT_EQ(checkOtherTools(machine).at(0).condition, Condition::Ok);
    machine.with("proc/77/comm", "nv-hostengine\n").with("proc/78/comm", "dcgm-exporter\n");
    const Diagnoses lines = checkOtherTools(machine);
    ASSERT_THAT(lines, SizeIs(1));
    EXPECT_EQ(lines[0].check, "dcgm");
    EXPECT_THAT(lines[0].lost, HasSubstr("counters"));
}

TEST(DoctorPython, IsOkWithTheHookAndPyTorch) {
    const Diagnoses lines = checkPython("python3", pythonWithTorch());
    EXPECT_EQ(lines.at(0).condition, Condition::Ok);
    EXPECT_EQ(lines.at(0).found, "python3 is Python 3.11.2 with PyTorch 2.11.0+cu130 (CUDA 13.0)");
}

TEST(DoctorPython, SaysThatStepsAreLostWithoutTheHook) {
    PythonProbe python = pythonWithTorch();
    python.loadsHook = false;
    EXPECT_EQ(checkPython("python3", python).at(0).condition, Condition::Limited);
    EXPECT_THAT(checkPython("python3", python).at(0).lost, HasSubstr("steps"));
    python.problem = "there is no program python3";
    EXPECT_THAT(checkPython("python3", python).at(0).fix, HasSubstr("--python"));
}

TEST(DoctorPython, SaysThatAPyTorchWithoutCudaUsesNoGpu) {
    PythonProbe python = pythonWithTorch();
    python.torchCuda.clear();
    EXPECT_EQ(checkPython("python3", python).at(0).condition, Condition::Limited);
    python.torch.clear(); // a C++ program may be what is to be recorded
    EXPECT_EQ(checkPython("python3", python).at(0).condition, Condition::Ok);
}

TEST(DoctorPythonProbe, AsksARealPython) {
    const PythonProbe probe = probePython("/usr/bin/python3", TACHO_SOURCE_DIR "/share/python");
    EXPECT_EQ(probe.problem, "");
    EXPECT_EQ(probe.version.substr(0, 2), "3.");
    EXPECT_TRUE(probe.loadsHook);
    EXPECT_FALSE(probePython("/usr/bin/python3", "/nowhere").loadsHook);
}

TEST(DoctorPythonProbe, SaysWhatIsNoPython) {
    EXPECT_EQ(probePython("no-such-python", "/x").problem, "there is no program no-such-python");
    EXPECT_EQ(probePython("true", "/x").problem, "true is not a Python 3");
}

TEST(DoctorPythonProbe, FindsTorchWithoutImportingIt) {
    const test::TemporaryFolder folder;
    FakeMachine machine; // for its files
    std::filesystem::create_directories(folder / "torch");
    std::filesystem::create_directories(folder / "nvidia/cu13/lib");
    std::ofstream(folder / "torch/__init__.py") << "raise RuntimeError('imported')\n";
    std::ofstream(folder / "torch/version.py")
        << "__version__ = '2.11.0+cu130'\ncuda: Optional[str] = '13.0'\n";
    std::ofstream(folder / "nvidia/cu13/lib/libcupti.so.13") << "";
    setenv("PYTHONPATH", folder.path().c_str(), 1);
    const PythonProbe probe = probePython("/usr/bin/python3", TACHO_SOURCE_DIR "/share/python");
    unsetenv("PYTHONPATH");
    EXPECT_EQ(probe.torch, "2.11.0+cu130");
    EXPECT_EQ(probe.torchCuda, "13.0");
    EXPECT_EQ(probe.cupti, (folder / "nvidia/cu13/lib/libcupti.so.13").string());
    EXPECT_TRUE(probe.loadsHook);
}

TEST(DoctorOutput, HasToBeWritableAndLargeEnough) {
    EXPECT_EQ(checkOutput({.folder = "/x", .problem = "", .freeBytes = 50'000'000'000}).at(0).condition,
              Condition::Ok);
    EXPECT_EQ(checkOutput({.folder = "/x", .problem = "", .freeBytes = 1'000'000}).at(0).condition,
              Condition::Limited);
    const Diagnoses lines = checkOutput({.folder = "/x", .problem = "Read-only file system", .freeBytes = 0});
    EXPECT_EQ(lines.at(0).condition, Condition::Broken);
    EXPECT_EQ(lines.at(0).found, "/x cannot be written: Read-only file system");
}

TEST(DoctorOutput, IsTriedAndLeftAsItWas) {
    const test::TemporaryFolder folder;
    const OutputRoom room = OutputRoom::of(folder.path());
    EXPECT_EQ(room.problem, "");
    EXPECT_GT(room.freeBytes, 0U);
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
    EXPECT_NE(OutputRoom::of(folder / "absent").problem, "");
}

TEST(DoctorLimits, TellWhichOneIsTooLow) {
    constexpr auto kNone = std::numeric_limits<std::uint64_t>::max();
    EXPECT_EQ(checkLimits({.openFiles = 1024, .fileBytes = kNone}).at(0).condition, Condition::Ok);
    EXPECT_EQ(checkLimits({.openFiles = 1024, .fileBytes = 1'000'000}).at(0).check, "file_size");
    EXPECT_EQ(checkLimits({.openFiles = 64, .fileBytes = kNone}).at(0).check, "open_files");
}

TEST(DoctorContainer, IsToldByItsSigns) {
    EXPECT_THAT(checkContainer(FakeMachine()), IsEmpty());
    EXPECT_THAT(checkContainer(FakeMachine().with(".dockerenv", "")).at(0).found, HasSubstr("Docker"));
    EXPECT_THAT(checkContainer(FakeMachine().with("run/.containerenv", "")).at(0).found, HasSubstr("Podman"));
    EXPECT_THAT(checkContainer(FakeMachine().set("APPTAINER_CONTAINER", "/x.sif")).at(0).found,
                HasSubstr("Apptainer"));
}

TEST(DoctorLauncher, IsToldByItsVariables) {
    EXPECT_THAT(checkLauncher(FakeMachine()), IsEmpty());
    FakeMachine slurm;
    EXPECT_THAT(checkLauncher(slurm.set("SLURM_PROCID", "3").set("SLURM_NTASKS", "8")).at(0).found,
                HasSubstr("Slurm, 8 tasks"));
}

TEST(DoctorLibrary, HasToLoad) {
    EXPECT_EQ(checkLibrary("/x/lib.so", "").at(0).condition, Condition::Ok);
    EXPECT_EQ(checkLibrary("/x/lib.so", "/x/lib.so: no such file").at(0).condition, Condition::Broken);
    EXPECT_THAT(probeLibrary("libm.so.6"), HasSubstr("has no InitializeInjection"));
}

} // namespace tacho
