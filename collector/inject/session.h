// SPDX-License-Identifier: Apache-2.0
// The life of the recording of one process.
#pragma once

#include "collector/inject/capture.h"
#include "collector/inject/cupti_source.h"
#include "collector/inject/event_log.h"
#include "collector/inject/spool_file.h"

#include <atomic>
#include <cstdint>
#include <pthread.h>

namespace tacho {

/// State machine: Idle -> Starting -> Recording -> Stopped; Disabled from anywhere on the first failure;
/// ForkedOff in a forked child, from where start() begins anew if the child comes to use CUDA or torch
/// itself.
///
/// One per process. All functions may be called from any thread and none throws. Nothing is ever destroyed:
/// other threads may still hold what a stopped session owns.
class Session {
  public:
    /// Starts the spool and the writer thread, once. False: this process is not recorded.
    [[nodiscard]] bool start() noexcept;
    /// CUDA is being initialised in this process: attach CUPTI, and record if the window says so.
    void attachCuda() noexcept;
    void endStep(std::uint64_t index) noexcept;
    /// Lets the writer look now instead of in 50 ms.
    void wakeWriter() noexcept { pthread_cond_signal(&m_wake); }
    /// Waits (at most 2 s) until all that is recorded so far is in the spool file.
    void flush() noexcept;
    /// Ends the recording: all in the file, with an End record. At exit.
    void stop() noexcept;
    /// Exit handlers run in reverse order of registration, and ours must run before those of CUPTI and the
    /// driver, which register theirs as they are loaded and initialised. So each stage of ours registers
    /// again; the first call does it.
    void stopAtExit() noexcept;
    /// In a forked child: the recording belongs to the parent.
    void forkedOff() noexcept;

    [[nodiscard]] bool isRecording() const noexcept {
        return m_state.load(std::memory_order_acquire) == State::Recording;
    }
    [[nodiscard]] bool isForkedOff() const noexcept {
        return m_state.load(std::memory_order_acquire) == State::ForkedOff;
    }
    [[nodiscard]] EventLog& log() noexcept { return m_log; }
    [[nodiscard]] Capture& capture() noexcept { return m_capture; }
    /// Adds a health note; `message` says what is lost and what to do.
    void note(spool::Severity severity, const char* code, std::uint64_t count, const char* message) noexcept;
    void fact(const char* name, const char* value) noexcept;

  private:
    enum class State : std::uint8_t { Idle, Starting, Recording, Stopped, ForkedOff, Disabled };

    enum class FileState : std::uint8_t { Pending, Made, Failed };

    void waitWhileStarting() const noexcept;
    void resetForStart() noexcept;
    [[nodiscard]] bool startWriter() noexcept;
    [[nodiscard]] bool awaitFile() noexcept;
    [[nodiscard]] bool makeFile() noexcept;
    void complain(const char* directory) const noexcept;
    static void* writerMain(void* session) noexcept;
    void writerLoop() noexcept;
    void writeOnce(bool last) noexcept;
    void writeEnd() noexcept;
    void endAtSizeLimit() noexcept;
    void noteLosses() noexcept;

    std::atomic<State> m_state{State::Idle};
    std::atomic<bool> m_isFull{false}; ///< the spool file has its greatest size
    Capture m_capture;
    std::uint64_t m_maxBytes = spool::kMostBytes;
    int m_pid = 0;
    bool m_devicesWritten = false;

    // The writer sleeps on m_wake; m_mutex is never held while anything of CUDA's is called.
    pthread_mutex_t m_mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t m_wake = PTHREAD_COND_INITIALIZER;
    pthread_cond_t m_done = PTHREAD_COND_INITIALIZER;
    FileState m_fileState = FileState::Pending;
    bool m_stopRequested = false;
    bool m_writerEnded = false;
    std::uint64_t m_flushesRequested = 0;
    std::uint64_t m_flushesDone = 0;

    EventLog m_log;
    SpoolFile m_file;
};

[[nodiscard]] Session& session() noexcept;

} // namespace tacho
