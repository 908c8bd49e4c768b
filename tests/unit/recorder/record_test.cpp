// SPDX-License-Identifier: Apache-2.0
// record() with real small commands and an installation whose library is a stand-in that nothing loads.
#include "collector/recorder/record.h"

#include "analyzer/model/error.h"
#include "collector/recorder/recover.h"
#include "tests/unit/recorder/spool_builder.h"
#include "tests/unit/recorder/trace_queries.h"

#include <csignal>
#include <ctime>
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <unistd.h>

namespace tacho {
namespace {

namespace fs = std::filesystem;
using test::SpoolBuilder;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

class Record : public testing::Test {
  protected:
    void SetUp() override {
        fs::create_directories(folder / "lib");
        fs::create_directories(folder / "share/tacho/python");
        std::ofstream(folder / "lib/libtacho_inject.so") << "stand-in";
        unsetenv("PYTHONPATH");
        unsetenv("CUDA_INJECTION64_PATH");
    }
    RecordResult run(std::vector<std::string> command) {
        return record(
            {.command = std::move(command), .output = output, .quiet = true, .installation = folder.path()});
    }
    RecordResult shell(const std::string& script) { return run({"/bin/sh", "-c", script}); }
    /// What is in the folder of the output besides the installation.
    std::vector<std::string> leftBehind() {
        std::vector<std::string> names;
        for (const auto& entry : fs::directory_iterator(output.parent_path()))
            names.push_back(entry.path().filename().string());
        std::ranges::sort(names);
        return names;
    }
    /// A process as a script can play it: `cp` puts its spool file where the recorder looks.
    std::string recordedAs(const SpoolBuilder& builder) {
        builder.write(folder / "made.spool");
        return "cp " + (folder / "made.spool").string() + " $TACHO_SPOOL_DIR/1-0.spool; ";
    }

    test::TemporaryFolder folder;
    test::TemporaryFolder work;
    fs::path output = work / "run.sqlite";
};

TEST_F(Record, TheExitStatusIsTheCommands) {
    const RecordResult result = shell(recordedAs(SpoolBuilder().step(0, 5).end(9)) + "exit 7");
    EXPECT_EQ(result.exitStatus, 7);
    EXPECT_EQ(result.file, output);
    EXPECT_EQ(result.events, 2U);
    EXPECT_EQ(result.problem, "");
    EXPECT_THAT(leftBehind(), ElementsAre("run.sqlite"));
    EXPECT_EQ(test::value(output, "SELECT count(*) FROM TACHO_STEPS"), "1");
    EXPECT_EQ(test::value(output, "SELECT value FROM TACHO_META WHERE name = 'exit_status'"), "7");
    EXPECT_THAT(test::value(output, "SELECT value FROM TACHO_META WHERE name = 'command'"),
                StartsWith("/bin/sh -c '"));
}

TEST_F(Record, DeathBySignalIsGivenAsAShellDoes) {
    EXPECT_EQ(shell("kill -9 $$").exitStatus, 128 + SIGKILL);
    EXPECT_TRUE(fs::exists(output));
}

TEST_F(Record, ACommandThatIsNotThereLeavesNothing) {
    const RecordResult result = run({"no-such-command-anywhere"});
    EXPECT_EQ(result.exitStatus, 127);
    EXPECT_EQ(result.problem, "no-such-command-anywhere: command not found");
    EXPECT_FALSE(result.file);
    EXPECT_THAT(leftBehind(), IsEmpty());
}

TEST_F(Record, AFileThatIsNoProgramCannotBeStarted) {
    std::ofstream(folder / "data") << "x";
    const RecordResult result = run({(folder / "data").string()});
    EXPECT_EQ(result.exitStatus, 126);
    EXPECT_THAT(result.problem, HasSubstr("Permission denied"));
}

TEST_F(Record, TheCommandsOutputIsUntouched) {
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    (void)shell("echo out; echo err >&2");
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "out\n");
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "err\n");
}

TEST_F(Record, TheCommandFindsTheLibraryAndTheHook) {
    setenv("PYTHONPATH", "/mine", 1);
    testing::internal::CaptureStdout();
    (void)shell(
        "echo $CUDA_INJECTION64_PATH $NVTX_INJECTION64_PATH $TACHO_WINDOW $TACHO_SPOOL_DIR $PYTHONPATH");
    const std::string library = (folder / "lib/libtacho_inject.so").string();
    EXPECT_EQ(testing::internal::GetCapturedStdout(),
              library + " " + library + " default " + output.string() + ".spool " +
                  (folder / "share/tacho/python").string() + ":/mine\n");
    unsetenv("PYTHONPATH");
}

TEST_F(Record, AnotherToolsInjectionIsReplacedAndNamed) {
    setenv("CUDA_INJECTION64_PATH", "/x/libToolsInjection64.so", 1);
    (void)shell("exit 0");
    const std::string note =
        test::value(output, "SELECT message FROM TACHO_HEALTH WHERE code = 'injection_replaced'");
    EXPECT_THAT(note, HasSubstr("/x/libToolsInjection64.so"));
    EXPECT_THAT(note, HasSubstr("Nsight Systems was replaced"));
}

TEST_F(Record, TheTrainingIsToldWhichCuptiToTake) {
    testing::internal::CaptureStdout();
    (void)record({.command = {"/bin/sh", "-c", "echo $TACHO_CUPTI"},
                  .output = output,
                  .cupti = "/x/libcupti.so.12",
                  .quiet = true,
                  .installation = folder.path()});
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "/x/libcupti.so.12\n");
}

/// A process that uses a GPU which no machine has.
SpoolBuilder processWithGpu() {
    spool::Device device{};
    device.uuid = 1, device.busLocation = 2;
    return SpoolBuilder()
        .string(1, "GPU-that-is-nowhere")
        .string(2, "ffff:ff:ff.0")
        .record(spool::RecordType::Device, device)
        .record(spool::RecordType::Context, spool::Context{});
}

TEST_F(Record, MemoryAndClockOfAGpuInUseAreAskedFor) {
    // The end comes once the sampler has said that there is no such GPU.
    (void)shell(recordedAs(processWithGpu()) +
                "while [ ! -e $TACHO_SPOOL_DIR/counters-nvml.spool ]; do :; done; exit 0");
    EXPECT_THAT(test::value(output, "SELECT message FROM TACHO_HEALTH WHERE code = 'no_nvml'"),
                HasSubstr("GPU-that-is-nowhere"));
    EXPECT_THAT(test::rows(output, "SELECT message FROM TACHO_HEALTH WHERE code = 'no_counters'"), IsEmpty());
}

TEST_F(Record, CountersAreAskedForWhereTheyAreWanted) {
    const std::string script = recordedAs(processWithGpu()) +
                               "while [ ! -e $TACHO_SPOOL_DIR/counters-cupti.spool ]; do :; done; exit 3";
    const RecordResult result = record({.command = {"/bin/sh", "-c", script},
                                        .output = output,
                                        .counters = true,
                                        .quiet = true,
                                        .installation = folder.path()});
    EXPECT_EQ(result.exitStatus, 3);
    EXPECT_NE(test::value(output, "SELECT message FROM TACHO_HEALTH WHERE code = 'no_counters'"), "(0 rows)");
}

TEST_F(Record, WithoutTheLibraryNothingIsStarted) {
    fs::remove(folder / "lib/libtacho_inject.so");
    EXPECT_THROW((void)shell("touch " + (work / "started").string()), Error);
    EXPECT_THAT(leftBehind(), IsEmpty());
}

TEST_F(Record, AnOutputThatExistsIsRefused) {
    std::ofstream(output) << "mine";
    EXPECT_THROW((void)shell("exit 0"), Error);
    EXPECT_THAT(leftBehind(), ElementsAre("run.sqlite"));
}

TEST_F(Record, AnOutputInAFolderThatIsNotThereIsRefused) {
    output = work / "none/run.sqlite";
    EXPECT_THROW((void)shell("exit 0"), Error);
}

TEST_F(Record, WithoutAnOutputTheFileIsNamedAfterTheScriptAndNeverOverwrites) {
    const fs::path before = fs::current_path();
    fs::current_path(work.path());
    const RecordOptions options{.command = {"/bin/sh", "-c", "exit 0", "my/train.py", "--x"},
                                .output = std::nullopt,
                                .quiet = true,
                                .installation = folder.path()};
    EXPECT_EQ(record(options).file, work / "train.sqlite");
    EXPECT_EQ(record(options).file, work / "train-2.sqlite");
    fs::current_path(before);
}

TEST_F(Record, ASignalSentToTheRecorderReachesTheCommand) {
    // $PPID is this process.
    EXPECT_EQ(shell("trap 'exit 9' TERM; kill -TERM $PPID; while :; do :; done").exitStatus, 9);
    EXPECT_TRUE(fs::exists(output));
}

TEST_F(Record, ASecondInterruptStillWorks) {
    const RecordResult result = shell("n=0; trap 'n=$((n+1)); [ $n = 2 ] && exit 3; kill -INT $PPID' INT;"
                                      "kill -INT $PPID; while :; do :; done");
    EXPECT_EQ(result.exitStatus, 3);
}

TEST_F(Record, ASignalThatWasIgnoredBeforeStaysIgnored) {
    std::signal(SIGHUP, SIG_IGN); // as nohup does
    EXPECT_EQ(shell("kill -HUP $PPID; kill -HUP $$; exit 4").exitStatus, 4);
    std::signal(SIGHUP, SIG_DFL);
}

TEST_F(Record, TheExitStatusIsKnownEvenWhereChildrenWereIgnored) {
    std::signal(SIGCHLD, SIG_IGN);
    EXPECT_EQ(shell("exit 5").exitStatus, 5);
    std::signal(SIGCHLD, SIG_DFL);
}

TEST_F(Record, AProcessThatOutlivesTheCommandIsWaitedFor) {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    const auto nowNs = static_cast<std::uint64_t>(now.tv_sec * 1'000'000'000 + now.tv_nsec);
    // The file claims to be of this process, which lives; its end comes once the command is gone.
    const std::string end = SpoolBuilder().end(9).bytes().substr(sizeof(spool::FileHeader));
    std::ofstream(folder / "end") << end;
    const RecordResult result = shell(recordedAs(SpoolBuilder(getpid(), nowNs).step(0, 5)) +
                                      "command=$$; (while kill -0 $command 2>/dev/null; do :; done; cat " +
                                      (folder / "end").string() + " >> $TACHO_SPOOL_DIR/1-0.spool) & exit 6");
    EXPECT_EQ(result.exitStatus, 6);
    EXPECT_EQ(result.events, 2U);
    EXPECT_EQ(result.problem, "");
    EXPECT_EQ(test::value(output, "SELECT end_ns FROM TACHO_PROCESSES"), "9");
}

TEST_F(Record, WhenTheFileCannotGrowTheCommandRunsOnAndTheSpoolIsKept) {
    SpoolBuilder builder;
    builder.string(1, "k").shape(1, 1);
    for (std::uint32_t i = 1; i <= 50'000; ++i)
        builder.kernel(i, i, i + 1);
    const std::string command = recordedAs(builder.end(99'999));
    // A limit on the size of files stands for a full disk; the spool is copied without it.
    std::signal(SIGXFSZ, SIG_IGN);
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    const rlimit small{.rlim_cur = 1 << 20, .rlim_max = before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    const RecordResult result = shell("ulimit -f unlimited; " + command + "exit 8");
    setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, SIG_DFL);

    EXPECT_EQ(result.exitStatus, 8);
    EXPECT_FALSE(result.file);
    EXPECT_THAT(result.problem, HasSubstr("tacho recover " + output.string() + ".spool"));
    EXPECT_THAT(leftBehind(), ElementsAre("run.sqlite.spool"));
    EXPECT_EQ(recover(output.string() + ".spool"), output);
    EXPECT_EQ(test::value(output, "SELECT count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL"), "50000");
}

TEST_F(Record, ASpoolFolderThatIsRemovedUnderWayIsNamedInTheFile) {
    const RecordResult result = shell("rm -rf $TACHO_SPOOL_DIR; exit 2");
    EXPECT_EQ(result.exitStatus, 2);
    EXPECT_EQ(result.file, output);
    EXPECT_EQ(result.problem, "");
    EXPECT_EQ(test::value(output, "SELECT count FROM TACHO_HEALTH WHERE code = 'spool_folder_removed'"), "1");
}

TEST_F(Record, WhenTheFolderOfTheOutputGoesAwayTheExitStatusStillComesBack) {
    output = work / "results/run.sqlite";
    fs::create_directory(work / "results");
    const RecordResult result = shell("rm -rf " + (work / "results").string() + "; exit 2");
    EXPECT_EQ(result.exitStatus, 2);
    EXPECT_FALSE(result.file);
    EXPECT_THAT(result.problem, HasSubstr("the recording is lost"));
}

} // namespace
} // namespace tacho
