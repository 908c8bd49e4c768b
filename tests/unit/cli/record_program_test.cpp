// SPDX-License-Identifier: Apache-2.0
// `tacho COMMAND` on a machine without a GPU: what it must leave alone. Skips where the injected library is
// not built.
#include "tests/unit/cli/program.h"

#include <gmock/gmock.h>
#include <unistd.h>

namespace tacho {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

class Recording : public testing::Test {
  protected:
    void SetUp() override {
        const auto library =
            std::filesystem::path(TACHO_PROGRAM).parent_path().parent_path() / "lib" / "libtacho_inject.so";
        if (!exists(library))
            GTEST_SKIP() << "the injected library is not built here: " << library;
    }

    Workplace m_workplace;
};

TEST_F(Recording, KeepsTheExitStatusOfTheCommand) {
    EXPECT_EQ(runTacho({"sh", "-c", "exit 5"}).status, 5);
    EXPECT_EQ(runTacho({"record", "--", "sh", "-c", "exit 6"}).status, 6);
    EXPECT_EQ(runTacho({"sh", "-c", "kill -TERM $$"}).status, 128 + 15);
    EXPECT_EQ(runTacho({"true"}).status, 0);
}

TEST_F(Recording, LeavesStdoutToTheCommand) {
    const auto outcome = runTacho({"printf", "%s", "loss 0.5"});
    EXPECT_EQ(outcome.out, "loss 0.5");
}

TEST_F(Recording, HandsTheCommandItsOwnOptions) {
    EXPECT_EQ(runTacho({"echo", "--lr", "1", "--help", "-o", "x", "--version"}).out,
              "--lr 1 --help -o x --version\n");
    EXPECT_EQ(runTacho({"record", "--quiet", "echo", "--quiet"}).out, "--quiet\n");
}

TEST_F(Recording, RecordsACommandNamedLikeASubcommand) {
    m_workplace.write("stats", "#!/bin/sh\necho \"$1\"\n");
    std::filesystem::permissions("stats", std::filesystem::perms::owner_all);
    EXPECT_EQ(runTacho({"record", "--", "./stats", "--"}).out, "--\n");
    EXPECT_EQ(
        runTacho({"record", "--", "stats"}, {"PATH=" + m_workplace.folder().string() + ":/bin:/usr/bin"}).out,
        "\n");
}

TEST_F(Recording, TellsTheCommandWhenToRecord) {
    const auto windowOf = [](Words options) {
        options.insert(options.begin(), {"record", "--quiet"});
        options.insert(options.end(), {"--", "printenv", "TACHO_WINDOW"});
        return runTacho(options).out;
    };
    EXPECT_EQ(windowOf({}), "default\n");
    EXPECT_EQ(windowOf({"--all"}), "all\n");
    EXPECT_EQ(windowOf({"--steps", "3:9"}), "steps:3:9\n");
    EXPECT_EQ(windowOf({"--steps", "3:9", "--every", "50"}), "steps:3:9:every:50\n");
    EXPECT_EQ(windowOf({"--every", "1000"}), "default:every:1000\n");
    EXPECT_EQ(windowOf({"--delay", "1.5", "--duration", "0.25"}), "time:1500000000:250000000\n");
    EXPECT_EQ(windowOf({"--delay", "2"}), "time:2000000000:0\n");
    EXPECT_EQ(windowOf({"--capture-range", "nvtx:my epoch"}), "range:nvtx:my epoch\n");
    EXPECT_EQ(windowOf({"--capture-range", "cudaProfilerApi"}), "range:cudaProfilerApi\n");
}

TEST_F(Recording, DetailKernelsIsAskedOfTheCommand) {
    const Words command = {"--", "sh", "-c", "echo ${TACHO_DETAIL-none}"};
    const auto detailOf = [&](Words options) {
        options.insert(options.end(), command.begin(), command.end());
        return runTacho(options).out;
    };
    EXPECT_EQ(detailOf({"record", "-q", "--detail", "kernels"}), "kernels\n");
    EXPECT_EQ(detailOf({"record", "-q", "--detail", "calls"}), "none\n");
}

TEST_F(Recording, CtlReachesTheProcessesOfARunningRecording) {
    // The command controls its own recording, by its own id and by that of tacho, and looks for the message.
    const std::string script = "control=$TACHO_SPOOL_DIR/control; $TACHO ctl start $$ && cat $control; "
                               "$TACHO ctl stop $PPID && cat $control";
    const auto outcome =
        runTacho({"record", "-q", "-o", "run.sqlite", "--capture-range", "ctl", "--", "sh", "-c", script},
                 {std::string("TACHO=") + TACHO_PROGRAM});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.out, "run.sqlite: recording starts within 0.1 s\nstart\n"
                           "run.sqlite: recording stops within 0.1 s\nstop\n");
}

TEST_F(Recording, CtlRefusesAProcessThatIsNotRecorded) {
    const auto outcome = runTacho({"ctl", "start", std::to_string(getpid())});
    EXPECT_EQ(outcome.status, 2);
    EXPECT_THAT(outcome.err, HasSubstr("is not being recorded by tacho"));
    EXPECT_EQ(runTacho({"ctl", "stop", "0"}).status, 2);
}

TEST_F(Recording, QuietSaysNothing) {
    const auto outcome = runTacho({"--quiet", "true"});
    EXPECT_EQ(outcome.status, 0);
    EXPECT_THAT(outcome.err, IsEmpty());
}

TEST_F(Recording, TellsTheCommandHowToRecordCudaGraphs) {
    const Words echo = {"--", "sh", "-c", "echo $TACHO_CUDA_GRAPH"};
    const auto withOptions = [&](Words options) {
        options.insert(options.end(), echo.begin(), echo.end());
        return runTacho(options);
    };
    EXPECT_EQ(withOptions({"record", "-q"}).out, "node\n");
    EXPECT_EQ(withOptions({"record", "-q", "--cuda-graph", "graph"}).out, "graph\n");
    const auto wrong = withOptions({"record", "-q", "--cuda-graph", "all"});
    EXPECT_EQ(wrong.status, 2);
    EXPECT_THAT(wrong.out, IsEmpty());
}

TEST_F(Recording, WritesTheFileAskedFor) {
    const auto outcome = runTacho({"-o", "my run.sqlite", "true"});
    EXPECT_EQ(outcome.status, 0);
    EXPECT_TRUE(exists(m_workplace.folder() / "my run.sqlite")) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("tacho report 'my run.sqlite'"));
}

TEST_F(Recording, ReportsOnStderrAfterTheCommand) {
    const auto outcome = runTacho({"true"});
    EXPECT_THAT(outcome.out, IsEmpty());
    EXPECT_THAT(outcome.err, HasSubstr("No CUDA activity was recorded"));
}

TEST_F(Recording, ACommandThatIsNotThereEndsLikeInAShell) {
    const auto outcome = runTacho({"no-such-command-here"});
    EXPECT_EQ(outcome.status, 127);
    EXPECT_THAT(outcome.err, HasSubstr("no-such-command-here"));
}

} // namespace
} // namespace tacho
