// SPDX-License-Identifier: Apache-2.0
#include "collector/counters/counter_process.h"

#include "tests/unit/counters/counter_spool.h"
#include "tests/unit/temporary_folder.h"

#include <csignal>
#include <gmock/gmock.h>
#include <unistd.h>

namespace tacho {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::SizeIs;

/// Writes which GPU it was told to watch, then does what the test says.
class PlayedSampler : public GpuSampler {
  public:
    PlayedSampler(CounterLog& log, void (*act)()) : m_log(&log), m_act(act) {}
    void watch(const WatchedGpu& gpu) override { m_gpu = gpu; }
    void sample(std::int64_t nowNs) override {
        m_log->add(m_log->idOf(m_gpu.uuid), m_log->idOf(m_gpu.busLocation), nowNs, 1);
        m_log->flush();
        m_act();
    }

  private:
    CounterLog* m_log;
    void (*m_act)();
    WatchedGpu m_gpu;
};

class CounterProcesses : public testing::Test {
  protected:
    CounterProcess::MakeSampler played(void (*act)()) {
        return [act](CounterLog& log) { return std::make_unique<PlayedSampler>(log, act); };
    }
    void waitForValues(std::size_t count) {
        while (!fs::exists(file) || test::counterLines(file).size() < count)
            usleep(1000);
    }
    test::TemporaryFolder folder;
    fs::path file = folder / "counters-x.spool";
};

TEST_F(CounterProcesses, WithoutAGpuNothingIsSampled) {
    CounterProcess process(file, played([] {}));
    EXPECT_EQ(process.stop(), "");
    EXPECT_FALSE(fs::exists(file));
}

TEST_F(CounterProcesses, AWatchedGpuIsSampledUntilTheEnd) {
    CounterProcess process(file, played([] {}));
    process.watch({"GPU-1", "0000:3b:00.0"});
    waitForValues(3);
    EXPECT_EQ(process.stop(), "");
    const auto lines = test::counterLines(file);
    EXPECT_THAT(lines.front(), HasSubstr("GPU-1 0000:3b:00.0 @"));
    EXPECT_EQ(process.stop(), "");
    EXPECT_THAT(test::counterLines(file), SizeIs(lines.size()));
}

TEST_F(CounterProcesses, ACrashIsASentenceAndNoMore) {
    CounterProcess process(file, played([] {
                               std::signal(SIGABRT, SIG_DFL);
                               raise(SIGKILL);
                           }));
    process.watch({"GPU-1", ""});
    waitForValues(1);
    process.watch({"GPU-2", ""}); // to nobody
    EXPECT_THAT(process.stop(), HasSubstr("crashed (signal 9)"));
    EXPECT_THAT(test::counterLines(file), SizeIs(1));
}

TEST_F(CounterProcesses, AHangIsEnded) {
    CounterProcess process(file, played([] {
                               while (true)
                                   pause();
                           }));
    process.watch({"GPU-1", ""});
    waitForValues(1);
    EXPECT_THAT(process.stop(), HasSubstr("hung"));
}

TEST_F(CounterProcesses, TwoEndIndependently) {
    CounterProcess first(file, played([] {}));
    CounterProcess second(folder / "counters-y.spool", played([] {}));
    EXPECT_EQ(first.stop(), ""); // the second has a copy of the first's socket
    EXPECT_EQ(second.stop(), "");
}

} // namespace
} // namespace tacho
