// SPDX-License-Identifier: Apache-2.0
#include "collector/recorder/record.h"

#include "collector/counters/counter_process.h"
#include "collector/counters/make_pm_sampler.h"
#include "collector/counters/nvml_sampler.h"
#include "collector/inject/known_profilers.h"
#include "collector/inject/spool_format.h"
#include "collector/recorder/child_process.h"
#include "collector/recorder/installation.h"
#include "collector/recorder/output_place.h"
#include "collector/recorder/progress_line.h"
#include "collector/recorder/recover.h"
#include "collector/recorder/secrets.h"
#include "collector/recorder/signal_relay.h"
#include "collector/recorder/spool_follower.h"
#include "collector/recorder/spool_lock.h"
#include "collector/recorder/trace_writer.h"

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <memory>
#include <vector>

namespace tacho {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr auto kPollInterval = 200ms;
// How long processes that outlive the command may go on writing; a training's helpers end within a second.
constexpr auto kDescendantLimit = 10s;

constexpr const char* kCudaInjection = "CUDA_INJECTION64_PATH";
constexpr const char* kNvtxInjection = "NVTX_INJECTION64_PATH";

std::string startProblem(const std::string& program, int error) {
    if (error == ENOENT)
        return fmt::format("{}: command not found", program);
    return fmt::format("{}: cannot be started: {}", program, std::strerror(error));
}

/// The profiler whose library `file` is.
std::string profilerOf(std::string_view file) {
    for (const KnownProfiler& profiler : kKnownProfilers)
        if (file.find(profiler.library) != std::string_view::npos)
            return profiler.name;
    return "that tool";
}

/// One recording, from the reserved name to the finished file. Conversion may fail at any time; then
/// `m_problem` says why, the spool stays, and the command goes on undisturbed.
class Recording {
  public:
    /// Throws Error where recording is impossible; nothing is left behind then.
    explicit Recording(const RecordOptions& options)
        : m_options(&options), m_installation(Installation::find(options.installation)),
          m_place(OutputPlace::reserve(options.output, options.command)),
          m_session(CaptureSession::startingNow()), m_progress(options.window, options.quiet) {
        m_session.commandLine = storableCommandLine(options.command);
        m_session.window = options.window;
        startCounters(); // before files are open that the new process should not have
        try {
            m_session.save(m_place.spoolDirectory);
            m_lock.emplace(m_place.spoolDirectory);
            m_writer.emplace(m_place.file, m_session);
            m_follower.emplace(m_place.spoolDirectory, *m_writer);
        } catch (...) {
            fs::remove_all(m_place.spoolDirectory);
            throw;
        }
    }

    RecordResult run() {
        ChildProcess child(m_options->command, environment(), m_relay);
        if (child.startError() != 0)
            return notStarted(child.startError());
        std::optional<int> exitStatus;
        while (!(exitStatus = child.waitFor(kPollInterval))) {
            poll();
            showProgress();
            previewWindow();
        }
        m_session.exitStatus = exitStatus;
        m_session.endUtcNs = utcNowNs();
        poll();
        waitForDescendants();
        finish();
        m_progress.clear();
        return result();
    }

  private:
    Environment environment() {
        for (const char* variable : {kCudaInjection, kNvtxInjection})
            if (const char* old = std::getenv(variable); old && *old)
                note(spool::Severity::Warning, "injection_replaced",
                     fmt::format("{} was set to {}: {} was replaced by tacho in this run", variable, old,
                                 profilerOf(old)));
        Environment changes = {{kCudaInjection, m_installation.library.string()},
                               {kNvtxInjection, m_installation.library.string()},
                               {spool::kDirectoryVariable, m_place.spoolDirectory.string()},
                               {spool::kWindowVariable, m_options->window},
                               {spool::kCudaGraphVariable, m_options->cudaGraph},
                               {spool::kMaxBytesVariable, std::to_string(m_options->maxBytes)}};
        if (m_options->onlyKernels)
            changes[spool::kDetailVariable] = spool::kDetailKernels;
        if (m_options->cupti)
            changes[spool::kCuptiVariable] = *m_options->cupti;
        if (m_installation.hook.empty()) {
            note(spool::Severity::Warning, "hook_missing",
                 "the Python hook is not installed: training steps and framework facts are not recorded");
            return changes;
        }
        const char* old = std::getenv("PYTHONPATH");
        const bool hasOld = old && *old; // an empty entry would mean the current folder
        changes["PYTHONPATH"] = m_installation.hook.string() + (hasOld ? std::string(":") + old : "");
        return changes;
    }

    void startCounters() {
        m_counters.push_back(std::make_unique<CounterProcess>(
            m_place.spoolDirectory / "counters-nvml.spool",
            [](CounterLog& log) { return std::make_unique<NvmlSampler>(log, nvml::load); }));
        if (m_options->counters)
            m_counters.push_back(std::make_unique<CounterProcess>(
                m_place.spoolDirectory / "counters-cupti.spool",
                [&](CounterLog& log) { return makePmSampler(log, m_options->cupti); }));
    }

    void stopCounters() {
        for (const auto& sampler : m_counters)
            if (const std::string problem = sampler->stop(); !problem.empty())
                note(spool::Severity::Warning, "counters_ended", problem);
    }

    void note(spool::Severity severity, const char* code, const std::string& message) {
        if (m_writer)
            m_writer->rows().health.add({severity, code, message});
    }

    RecordResult notStarted(int error) {
        m_follower.reset();
        m_writer.reset();
        fs::remove_all(m_place.spoolDirectory);
        constexpr int kNotFound = 127, kNotExecutable = 126; // as shells say it
        return {error == ENOENT ? kNotFound : kNotExecutable, std::nullopt,
                startProblem(m_options->command.front(), error), 0};
    }

    /// Runs a part of the conversion; a failure ends the conversion, never the command.
    template <class Step>
    void convert(Step step) {
        if (!m_follower)
            return;
        try {
            step();
        } catch (const std::exception& failure) {
            m_problem = fmt::format("{}. The command was not disturbed{}", failure.what(), whatIsLeft());
            m_events = m_follower->events();
            m_follower.reset();
            m_writer.reset(); // also gives back the room of the unfinished file
        }
    }

    [[nodiscard]] std::string whatIsLeft() const {
        std::error_code ignored;
        const std::string spool = m_place.spoolDirectory.string();
        if (!fs::exists(spool, ignored))
            return fmt::format(", but the recording is lost: {} was removed", spool);
        return fmt::format(" and nothing is lost: when that is mended, run `tacho recover {}`", spool);
    }

    void poll() {
        convert([&] { m_follower->poll(); });
        if (m_writer)
            for (const WatchedGpu& gpu : m_writer->rows().gpus.takeUsed())
                for (const auto& sampler : m_counters)
                    sampler->watch(gpu);
    }

    void showProgress() {
        if (!m_progress.isShown() || !m_follower)
            return;
        std::error_code ignored;
        const auto elapsed = std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - m_start);
        const std::uintmax_t bytes = fs::file_size(m_writer->partialFile(), ignored);
        m_progress.show({elapsed, m_follower->events(), ignored ? 0 : bytes, m_follower->steps()});
    }

    void previewWindow() {
        if (!m_options->onWindowOver || m_isPreviewed || !m_follower || !m_follower->steps().isWindowOver())
            return;
        m_isPreviewed = true;
        const fs::path trace = m_place.spoolDirectory / "window.sqlite";
        try {
            convertSpool(m_place.spoolDirectory, m_session, trace);
            m_progress.clear();
            m_options->onWindowOver(trace, m_place.file);
        } catch (const std::exception&) { // what is wrong will be said at the end
        }
        std::error_code ignored;
        fs::remove(trace, ignored);
    }

    [[nodiscard]] std::vector<std::int32_t> growingProcesses() const {
        return m_follower ? m_follower->growingProcesses() : std::vector<std::int32_t>();
    }

    void waitForDescendants() {
        const Clock::time_point limit = Clock::now() + kDescendantLimit;
        bool isTold = m_options->quiet;
        for (auto pids = growingProcesses(); !pids.empty() && !m_relay.isAskedToStop();
             pids = growingProcesses()) {
            if (Clock::now() >= limit)
                break;
            if (!isTold && Clock::now() + kDescendantLimit - 1s > limit) {
                m_progress.clear();
                const std::string line =
                    fmt::format("tacho: the command ended, process {} of it still runs: waiting at most {} s "
                                "(Ctrl-C: do not wait)\n",
                                fmt::join(pids, ", "), kDescendantLimit.count());
                std::fputs(line.c_str(), stderr); // not fmt::print, which throws where it cannot write
                isTold = true;
            }
            sleepFor(kPollInterval);
            poll();
        }
    }

    static void sleepFor(std::chrono::milliseconds time) { // ends early when a signal comes
        const timespec pause{.tv_sec = 0, .tv_nsec = time.count() * 1'000'000};
        nanosleep(&pause, nullptr);
    }

    void finish() {
        const std::vector<std::int32_t> running = growingProcesses();
        stopCounters();
        convert([&] {
            if (fs::exists(m_place.spoolDirectory)) // else nobody can recover it any more
                m_session.save(m_place.spoolDirectory);
            if (!running.empty())
                note(spool::Severity::DataLoss, "still_running",
                     fmt::format("process {} outlived the command; what it did later is not in the file",
                                 fmt::join(running, ", ")));
            m_follower->finish();
            m_writer->finish(m_session);
        });
        if (!m_follower)
            return;
        m_events = m_follower->events();
        m_follower.reset();
        m_writer.reset();
        m_file = m_place.file;
        if (running.empty())
            removeSpool();
        else
            m_problem =
                fmt::format("process {0} outlived the command; when it has ended, `tacho recover {1}` makes "
                            "a file with all of it",
                            fmt::join(running, ", "), m_place.spoolDirectory.string());
    }

    void removeSpool() {
        std::error_code error;
        fs::remove_all(m_place.spoolDirectory, error);
        if (error)
            m_problem = fmt::format("{}: cannot be removed: {}; it is not needed any more",
                                    m_place.spoolDirectory.string(), error.message());
    }

    RecordResult result() { return {m_session.exitStatus.value_or(0), m_file, m_problem, m_events}; }

    SignalRelay m_relay; // first: no signal may end the recorder while it makes its files
    const RecordOptions* m_options;
    Installation m_installation;
    OutputPlace m_place;
    CaptureSession m_session;
    ProgressLine m_progress;
    Clock::time_point m_start = Clock::now();
    std::vector<std::unique_ptr<CounterProcess>> m_counters;
    std::optional<SpoolLock> m_lock;
    std::optional<TraceWriter> m_writer;     // these two are there while conversion goes well
    std::optional<SpoolFollower> m_follower; // after m_writer, which it borrows
    std::optional<fs::path> m_file;
    bool m_isPreviewed = false;
    std::string m_problem;
    std::uint64_t m_events = 0;
};

} // namespace

RecordResult record(const RecordOptions& options) {
    return Recording(options).run();
}

} // namespace tacho
