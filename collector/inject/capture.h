// SPDX-License-Identifier: Apache-2.0
// Switches the recording of GPU activity on and off, as the window and the control file say.
#pragma once

#include "collector/inject/block_plan.h"
#include "collector/inject/control_file.h"
#include "collector/inject/event_log.h"
#include "collector/inject/spool_format.h"
#include "collector/inject/window.h"

#include <atomic>
#include <cstdint>

namespace tacho {

/// One per process. Its events may come from any thread, also from within CUPTI's callbacks, and at once;
/// none waits for another. What was decided last wins.
class Capture {
  public:
    /// Starts anew, from the environment. `log` is borrowed; it gets a record of every change.
    void reset(EventLog& log) noexcept;

    /// A hook is here and will report steps, in forked children too.
    void expectSteps() noexcept { m_stepsExpected.store(true, std::memory_order_relaxed); }
    /// CUPTI is attached.
    void cudaCame() noexcept;
    void stepEnded(std::uint64_t endedSteps) noexcept;
    [[nodiscard]] bool waitsForProfilerApi() const noexcept {
        return m_window.trigger() == Window::Trigger::ProfilerApi;
    }
    /// cudaProfilerStart or cudaProfilerStop was called.
    void profilerApiCalled(bool start) noexcept;
    /// The NVTX range that the window waits for; null: none. Cheap enough for every push.
    [[nodiscard]] const char* rangeName() const noexcept { return m_window.rangeName(); }
    void rangeBegan() noexcept;
    void rangeEnded() noexcept;
    /// Looks at the clock and at the control file. Writer thread only.
    void poll() noexcept;
    /// Records no more, whatever comes.
    void close() noexcept;
    /// The process ends: notes what is left to say. Writer thread only.
    void finish() noexcept;

    [[nodiscard]] bool wasEverOpen() const noexcept { return m_wasEverOpen.load(std::memory_order_relaxed); }
    [[nodiscard]] std::uint64_t endedSteps() const noexcept {
        return m_endedSteps.load(std::memory_order_relaxed);
    }

  private:
    /// A window that closed by anything but a step gives its work so long to end before CUPTI leaves.
    static constexpr std::uint64_t kLeaveAfterNs = 200'000'000;

    void plan(bool open) noexcept;
    void planBlocks(std::uint64_t endedSteps) noexcept;
    [[nodiscard]] bool isWanted() const noexcept;
    void update() noexcept;
    void switchOn() noexcept;
    void switchOff() noexcept;
    void leave() noexcept;
    void noteChange(bool isOpen, std::uint64_t timeNs) noexcept;
    void noteFullSpeed(std::uint64_t startNs, std::uint64_t endNs) noexcept;
    [[nodiscard]] bool isOver() const noexcept;
    [[nodiscard]] bool isAtFullSpeed() const noexcept;

    /// What m_window borrows: programs that set their title write over the memory of the environment.
    char m_windowText[spool::kMaxText + 16] = {};
    Window m_window;
    BlockPlan m_blocks; ///< of the thread that has m_isPlanning
    std::atomic<bool> m_areBlocksOver{false};
    std::atomic_flag m_isPlanning = ATOMIC_FLAG_INIT;
    ControlFile m_control;
    EventLog* m_log = nullptr;
    std::uint64_t m_startNs = 0;
    std::atomic<std::uint64_t> m_cudaSinceNs{0}; ///< 0: CUDA has not come yet
    std::atomic<std::uint64_t> m_closedNs{0};    ///< when recording was last switched off
    std::atomic<std::uint64_t> m_stepsWhenClosed{0};
    std::atomic<bool> m_stepsExpected{false};
    std::atomic<std::uint64_t> m_endedSteps{0};
    std::atomic<std::int32_t> m_openRanges{0}; ///< of those that the window waits for
    std::atomic<ControlFile::Command> m_command{ControlFile::Command::None};
    std::atomic<bool> m_isClosed{false};
    std::atomic<bool> m_isPlanned{false}; ///< the window says: on
    std::atomic<bool> m_isOpen{false};
    std::atomic<bool> m_wasEverOpen{false};
    std::atomic_flag m_isSwitching = ATOMIC_FLAG_INIT;
};

} // namespace tacho
