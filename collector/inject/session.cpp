// SPDX-License-Identifier: Apache-2.0
#include "collector/inject/session.h"

#include "collector/inject/device_query.h"
#include "collector/inject/host_clock.h"
#include "collector/inject/nvtx_source.h"
#include "collector/inject/process_facts.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace tacho {

namespace {

constinit Session g_session;

constexpr std::uint64_t kWriterPeriodNs = 50'000'000;
constexpr std::uint64_t kCuptiFlushPeriodNs =
    500'000'000; // with the writer's period: well within the promised 1 s
constexpr std::uint64_t kLongestFlushNs = 2'000'000'000;
constexpr std::uint64_t kLongestStopNs = 10'000'000'000; // without progress
constexpr std::uint64_t kMostStopNs = 60'000'000'000;
// A flush that brought this much, 100 000 kernels, is followed by another at once: CUPTI falls behind at over
// half a million kernels a second, and keeps in memory (some 100 bytes a kernel) what it has not delivered.
constexpr std::uint64_t kBehindBytes = 16 << 20;

timespec timespecOf(std::uint64_t ns) noexcept {
    return {static_cast<time_t>(ns / 1'000'000'000), static_cast<long>(ns % 1'000'000'000)};
}

void initMonotonic(pthread_cond_t& condition) noexcept {
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&condition, &attributes);
    pthread_condattr_destroy(&attributes);
}

} // namespace

Session& session() noexcept {
    return g_session;
}

bool Session::start() noexcept {
    waitWhileStarting();
    State state = m_state.load(std::memory_order_acquire);
    if (state == State::Recording)
        return true;
    const char* const directory = std::getenv(spool::kDirectoryVariable);
    if (!directory || (state != State::Idle && state != State::ForkedOff))
        return false;
    const bool forked = state == State::ForkedOff;
    if (!m_state.compare_exchange_strong(state, State::Starting))
        return isRecording();
    resetForStart();
    if (!forked) // a child inherits the registration
        pthread_atfork(nullptr, nullptr, [] { session().forkedOff(); });
    const bool canWrite = m_log.reserve() && startWriter();
    if (!canWrite)
        complain(directory);
    if (!canWrite || !awaitFile()) {
        m_log.release();
        m_state = State::Disabled;
        return false;
    }
    m_state.store(State::Recording, std::memory_order_release);
    beginNvtx();
    sendProcessFacts(*this);
    if (!forked)
        stopAtExit();
    return true;
}

void Session::waitWhileStarting() const noexcept {
    constexpr int kTries = 1000; // x 1 ms; bounded for a signal handler that interrupted start()
    for (int i = 0; i < kTries && m_state.load(std::memory_order_acquire) == State::Starting; ++i)
        usleep(1000);
}

void Session::resetForStart() noexcept {
    m_pid = static_cast<int>(getpid());
    m_capture.reset(m_log);
    const char* const maxBytes = std::getenv(spool::kMaxBytesVariable);
    m_maxBytes = maxBytes ? std::strtoull(maxBytes, nullptr, 10) : spool::kMostBytes;
    m_isFull = false;
    m_devicesWritten = false;
    m_fileState = FileState::Pending;
    m_stopRequested = m_writerEnded = false;
    m_flushesRequested = m_flushesDone = 0;
    m_mutex = PTHREAD_MUTEX_INITIALIZER; // a forked child may have inherited it locked
    initMonotonic(m_wake);
    initMonotonic(m_done);
}

bool Session::startWriter() noexcept {
    // The host may rely on its own threads alone getting its signals, so ours takes none.
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    if (pthread_sigmask(SIG_SETMASK, &all, &before) != 0)
        return false;
    pthread_t thread;
    errno = pthread_create(&thread, nullptr, writerMain, this);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    if (errno == 0)
        pthread_detach(thread);
    return errno == 0;
}

// The file is made by the writer thread, which takes no signals: a broken pipe (stderr) or a file size limit
// would kill the host on its own threads.
bool Session::awaitFile() noexcept {
    const timespec until = timespecOf(hostNowNs() + kLongestStopNs);
    pthread_mutex_lock(&m_mutex);
    while (m_fileState == FileState::Pending && pthread_cond_timedwait(&m_done, &m_mutex, &until) == 0) {
    }
    const bool made = m_fileState == FileState::Made;
    if (!made)
        m_fileState = FileState::Failed; // and the writer, should it come late, ends
    pthread_mutex_unlock(&m_mutex);
    return made;
}

bool Session::makeFile() noexcept {
    const char* const directory = std::getenv(spool::kDirectoryVariable);
    const bool made = directory && m_file.create(directory);
    // No such folder: the recording is over, and this process outlived it. Nobody wants to hear of that.
    if (!made && directory && errno != ENOENT)
        complain(directory);
    pthread_mutex_lock(&m_mutex);
    if (m_fileState == FileState::Pending)
        m_fileState = made ? FileState::Made : FileState::Failed;
    const bool goOn = m_fileState == FileState::Made;
    pthread_cond_broadcast(&m_done);
    pthread_mutex_unlock(&m_mutex);
    return goOn;
}

// By write(), not stdio: stderr's lock and buffer are the host's.
void Session::complain(const char* directory) const noexcept {
    char line[512];
    const int length = std::snprintf(line, sizeof line, "tacho: process %d is not recorded: %s: %s\n", m_pid,
                                     directory, std::strerror(errno));
    const std::size_t bytes = std::min(sizeof line - 1, static_cast<std::size_t>(length < 0 ? 0 : length));
    [[maybe_unused]] const ssize_t told = write(STDERR_FILENO, line, bytes);
}

void Session::forkedOff() noexcept {
    const State state = m_state.load(std::memory_order_acquire);
    if (state == State::Recording || state == State::Starting)
        m_state.store(State::ForkedOff, std::memory_order_release);
    m_log.forgetThread();
    nvtxForkedOff();
    cuptiSource().forkedOff();
}

void Session::stopAtExit() noexcept {
    std::atexit([] { session().stop(); });
}

void Session::attachCuda() noexcept {
    if (!isRecording())
        return;
    const char* const detail = std::getenv(spool::kDetailVariable);
    const bool onlyKernels = detail && std::strcmp(detail, spool::kDetailKernels) == 0;
    if (const char* problem = cuptiSource().attach(
            loadCupti(), m_file, onlyKernels ? CuptiSource::Detail::Kernels : CuptiSource::Detail::Calls)) {
        char message[1024];
        const char* const format =
            cuptiSource().refusal() ? "CUPTI does not work here (%s); GPU activity is not recorded" : "%s";
        std::snprintf(message, sizeof message, format, problem);
        note(spool::Severity::Error, "no_gpu_activity_recorded", 1, message);
        return;
    }
    stopAtExit();
    sendCudaFacts(*this, cuptiSource().api());
    if (m_capture.waitsForProfilerApi())
        cuptiSource().watchProfilerApi([](bool start) { session().capture().profilerApiCalled(start); });
    m_capture.cudaCame();
}

void Session::endStep(std::uint64_t index) noexcept {
    if (!isRecording())
        return;
    spool::StepEnd record{};
    record.header.type = static_cast<std::uint16_t>(spool::RecordType::StepEnd);
    record.threadId = EventLog::threadId();
    record.index = index;
    record.timeNs = hostNowNs();
    m_log.append(&record, sizeof record);
    m_capture.stepEnded(index + 1);
}

void Session::note(spool::Severity severity, const char* code, std::uint64_t count,
                   const char* message) noexcept {
    char text[1024];
    const std::size_t codeBytes = std::strlen(code);
    const int length = std::snprintf(text, sizeof text, "%s%s", code, message);
    const std::size_t bytes = length < 0 ? 0 : static_cast<std::size_t>(length);
    const std::size_t kept = bytes < sizeof text ? bytes : sizeof text - 1;
    spool::Health record{};
    record.header.type = static_cast<std::uint16_t>(spool::RecordType::Health);
    record.severity = static_cast<std::uint32_t>(severity);
    record.count = count;
    record.codeBytes = static_cast<std::uint16_t>(codeBytes);
    record.messageBytes = static_cast<std::uint16_t>(kept - codeBytes);
    m_log.define(&record, sizeof record, text, kept);
}

void Session::fact(const char* name, const char* value) noexcept {
    if (!isRecording())
        return;
    constexpr std::size_t kLongestName = 256;
    char text[kLongestName + spool::kMaxText];
    const std::size_t nameBytes = strnlen(name, kLongestName);
    const std::size_t valueBytes = strnlen(value, spool::kMaxText);
    std::memcpy(text, name, nameBytes);
    std::memcpy(text + nameBytes, value, valueBytes);
    spool::Fact record{};
    record.header.type = static_cast<std::uint16_t>(spool::RecordType::Fact);
    record.nameBytes = static_cast<std::uint16_t>(nameBytes);
    record.valueBytes = static_cast<std::uint16_t>(valueBytes);
    m_log.define(&record, sizeof record, text, nameBytes + valueBytes);
}

void* Session::writerMain(void* session) noexcept {
    auto& self = *static_cast<Session*>(session);
    if (self.makeFile())
        self.writerLoop();
    return nullptr;
}

void Session::writerLoop() noexcept {
    std::uint64_t lastCuptiFlushNs = hostNowNs();
    bool isBehind = false;
    for (bool last = false; !last;) {
        pthread_mutex_lock(&m_mutex);
        const timespec until = timespecOf(hostNowNs() + kWriterPeriodNs);
        if (!m_stopRequested && m_flushesDone == m_flushesRequested && !isBehind)
            pthread_cond_timedwait(&m_wake, &m_mutex, &until);
        last = m_stopRequested;
        const std::uint64_t requested = m_flushesRequested;
        const bool flushNow = requested != m_flushesDone;
        pthread_mutex_unlock(&m_mutex);
        if (m_state.load(std::memory_order_acquire) == State::Starting)
            continue;
        const std::uint64_t now = hostNowNs();
        if (last || flushNow || isBehind || now - lastCuptiFlushNs >= kCuptiFlushPeriodNs) {
            isBehind = cuptiSource().flush(last) >= kBehindBytes;
            lastCuptiFlushNs = now;
        }
        m_capture.poll();
        writeOnce(last);
        pthread_mutex_lock(&m_mutex);
        m_flushesDone = requested;
        m_writerEnded = last;
        pthread_cond_broadcast(&m_done);
        pthread_mutex_unlock(&m_mutex);
    }
}

void Session::writeOnce(bool last) noexcept {
    if (!m_devicesWritten && cuptiSource().isAttached())
        m_devicesWritten = writeDevices(m_file, cuptiSource().decoder());
    cuptiSource().drain();
    if (last) {
        m_capture.finish();
        noteLosses();
    }
    m_log.drain(m_file);
    if (last)
        writeEnd();
    m_file.flush();
    if (m_file.bytesWritten() > m_maxBytes)
        endAtSizeLimit();
    if (m_file.failed() && isRecording()) {
        m_capture.close();
        m_state = State::Disabled;
    }
}

// Facts, health and the end still follow: they are small.
void Session::endAtSizeLimit() noexcept {
    if (m_isFull.exchange(true))
        return;
    m_capture.close();
    m_log.close();
    note(spool::Severity::Warning, "size_limit_reached", 1,
         "recording of a process ended when it had written as much as it may: record fewer steps with "
         "--steps A:B, or allow more with --max-size");
}

void Session::writeEnd() noexcept {
    spool::End end{};
    end.header = {static_cast<std::uint16_t>(spool::RecordType::End), sizeof end};
    end.timeNs = hostNowNs();
    m_file.append(&end, sizeof end);
}

void Session::noteLosses() noexcept {
    const CuptiSource& cupti = cuptiSource();
    const ActivityDecoder::Losses& losses = cuptiSource().decoder().losses();
    const auto lost = [this](std::uint64_t count, const char* code, const char* message) {
        if (count > 0)
            note(spool::Severity::DataLoss, code, count, message);
    };
    lost(cupti.droppedByCupti(), "cupti_dropped_records",
         "CUPTI dropped activity records: its buffers were full");
    lost(cupti.buffersRefused(), "activity_buffers_exhausted",
         "all activity buffers were in use when CUPTI asked for one: the writer could not keep up");
    lost(losses.withoutTimes, "gpu_work_without_times", "GPU work had not ended when the process did");
    lost(losses.unknownKind, "unknown_activity_records",
         "CUPTI delivered records of a kind that tacho does not know");
    lost(m_log.dropped(), "host_events_dropped",
         "CUDA calls, NVTX ranges or steps were dropped: their buffers were full");
    if (cuptiSource().decoder().hasContext() && !m_capture.wasEverOpen()) // launchers only ask for the GPUs
        note(spool::Severity::Warning, "window_never_opened", m_capture.endedSteps(),
             "the process ended before GPU activity was to be recorded: record from its start with --all, or "
             "choose steps with --steps A:B");
    if (cupti.isUsable() && cupti.refusal()) {
        char message[256];
        std::snprintf(message, sizeof message, "CUPTI refused to record some kinds of activity: %s",
                      cupti.refusal());
        note(spool::Severity::Warning, "cupti_refused", 1, message);
    }
}

void Session::flush() noexcept {
    if (!isRecording())
        return;
    const timespec until = timespecOf(hostNowNs() + kLongestFlushNs);
    pthread_mutex_lock(&m_mutex);
    const std::uint64_t mine = ++m_flushesRequested;
    pthread_cond_signal(&m_wake);
    while (m_flushesDone < mine && pthread_cond_timedwait(&m_done, &m_mutex, &until) == 0) {
    }
    pthread_mutex_unlock(&m_mutex);
}

// Nothing is switched off: CUPTI may be half gone already. The writer flushes it, and is waited for while it
// gets on, but not for ever: exit() may have been called in a signal handler that interrupted CUPTI, which
// then waits for itself.
void Session::stop() noexcept {
    if (!isRecording() || m_pid != static_cast<int>(getpid()))
        return;
    const std::uint64_t giveUpNs = hostNowNs() + kMostStopNs;
    pthread_mutex_lock(&m_mutex);
    m_stopRequested = true;
    pthread_cond_signal(&m_wake);
    bool getsOn = true;
    while (!m_writerEnded && getsOn) {
        const std::uint64_t decoded = cuptiSource().bytesDecoded();
        const timespec until = timespecOf(std::min(hostNowNs() + kLongestStopNs, giveUpNs));
        while (!m_writerEnded && pthread_cond_timedwait(&m_done, &m_mutex, &until) == 0) {
        }
        getsOn = cuptiSource().bytesDecoded() != decoded && hostNowNs() < giveUpNs;
    }
    pthread_mutex_unlock(&m_mutex);
    m_state.store(State::Stopped, std::memory_order_release);
}

} // namespace tacho
