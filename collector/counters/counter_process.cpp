// SPDX-License-Identifier: Apache-2.0
#include "collector/counters/counter_process.h"

#include "collector/inject/host_clock.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <ctime>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <string_view>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tacho {

namespace {

using namespace std::chrono_literals;

// Frequent enough for the phases of a training (epochs, validation, checkpoints), and too rare to cost.
constexpr std::int64_t kFirstIntervalNs = 100'000'000;
// The interval doubles after so many samples. So there are ten samples a second in the first ten minutes, and
// a week has but eleven times as many as those.
constexpr int kSamplesPerInterval = 6000;
// A call into the driver may last while a GPU is reset; longer than this nobody waits for it.
constexpr auto kStopLimit = 2s;

std::int64_t nowNs() {
    return static_cast<std::int64_t>(hostNowNs());
}

/// When to sample.
class Schedule {
  public:
    void begin(std::int64_t now) { m_nextNs = now; }
    [[nodiscard]] timespec until(std::int64_t now) const {
        const std::int64_t left = std::max<std::int64_t>(m_nextNs - now, 0);
        return {.tv_sec = left / 1'000'000'000, .tv_nsec = left % 1'000'000'000};
    }
    void sampled(std::int64_t now) {
        if (++m_samples % kSamplesPerInterval == 0)
            m_intervalNs *= 2;
        m_nextNs = std::max(m_nextNs + m_intervalNs, now); // what was missed is not made up for
    }

  private:
    std::int64_t m_intervalNs = kFirstIntervalNs, m_nextNs = 0;
    std::int64_t m_samples = 0;
};

/// An order is a WatchedGpu: its UUID, a zero byte, its bus location. The other side's end is the order to
/// stop.
void serve(int orders, CounterLog& log, GpuSampler& sampler) {
    Schedule schedule;
    bool hasGpus = false;
    while (true) {
        pollfd waiting{.fd = orders, .events = POLLIN, .revents = 0};
        const timespec pause = schedule.until(nowNs());
        if (ppoll(&waiting, 1, hasGpus ? &pause : nullptr, nullptr) > 0) {
            std::array<char, 512> text{};
            if (recv(orders, text.data(), text.size() - 1, 0) <= 0)
                break;
            const std::string uuid = text.data();
            sampler.watch({uuid, text.data() + uuid.size() + 1});
            if (!hasGpus)
                schedule.begin(nowNs());
            hasGpus = true;
        } else {
            const std::int64_t now = nowNs();
            sampler.sample(now);
            schedule.sampled(now);
        }
        log.flush();
    }
    sampler.finish();
    log.flush();
}

void separateFromRecorder() {
    prctl(PR_SET_PDEATHSIG, SIGKILL); // a hanging driver call must not outlive a killed recorder
    prctl(PR_SET_NAME, "tacho-counters");
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGPIPE, SIGXFSZ})
        std::signal(signal, SIG_IGN);
    // A pipe on the command's output must see its end when the command ends.
    if (const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC); nowhere >= 0)
        for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
            dup2(nowhere, descriptor);
}

} // namespace

CounterProcess::CounterProcess(const std::filesystem::path& file, const MakeSampler& make) {
    std::array<int, 2> ends{};
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
        return;
    m_orders = ends[0];
    m_pid = fork();
    if (m_pid == 0) {
        close(ends[0]);
        separateFromRecorder();
        try {
            CounterLog log(file);
            const std::unique_ptr<GpuSampler> sampler = make(log);
            serve(ends[1], log, *sampler);
        } catch (...) { // no memory
            _exit(1);
        }
        _exit(0); // the libraries' own ends are not worth waiting for
    }
    close(ends[1]);
}

CounterProcess::~CounterProcess() {
    (void)stop();
}

void CounterProcess::watch(const WatchedGpu& gpu) {
    const std::string order = gpu.uuid + '\0' + gpu.busLocation;
    if (m_pid > 0)
        send(m_orders, order.data(), order.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
}

bool CounterProcess::waitUntilEnded(std::chrono::milliseconds limit, int& status) const {
    const std::int64_t end = nowNs() + std::chrono::nanoseconds(limit).count();
    while (true) {
        if (waitpid(m_pid, &status, WNOHANG) != 0) // also where children are ignored, and so reap themselves
            return true;
        if (nowNs() >= end)
            return false;
        const timespec nap{.tv_sec = 0, .tv_nsec = 1'000'000};
        nanosleep(&nap, nullptr);
    }
}

std::string CounterProcess::stop() {
    if (m_orders >= 0) {
        shutdown(m_orders, SHUT_RDWR); // a sampler that was forked later has this end too
        close(m_orders);
    }
    m_orders = -1;
    if (m_pid <= 0)
        return {};
    int status = 0;
    std::string problem;
    if (!waitUntilEnded(kStopLimit, status)) {
        kill(m_pid, SIGKILL);
        (void)waitUntilEnded(100ms, status); // in the kernel's hands from here on
        problem = "the sampling of GPU counters hung and was ended";
    } else if (WIFSIGNALED(status)) {
        problem = fmt::format("the sampling of GPU counters crashed (signal {})", WTERMSIG(status));
    } else if (WEXITSTATUS(status) != 0) {
        problem = "the sampling of GPU counters had no memory";
    }
    m_pid = -1;
    return problem;
}

} // namespace tacho
