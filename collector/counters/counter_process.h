// SPDX-License-Identifier: Apache-2.0
// Runs a GpuSampler in a process of its own: what the vendor's libraries do there harms nobody.
#pragma once

#include "collector/counters/counter_log.h"
#include "collector/counters/gpu_sampler.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

namespace tacho {

/// The process waits for the first GPU, then samples until it is stopped or this process ends, however that
/// comes about. It ignores the signals that people and schedulers send: those are for the command. Used by
/// one thread. Nothing throws or fails: a recording without counters is a recording.
class CounterProcess {
  public:
    using MakeSampler = std::function<std::unique_ptr<GpuSampler>(CounterLog&)>;

    /// Forks; `make` is called in the new process, which writes `file` once it has something to say. REQUIRES
    /// a process without other threads.
    CounterProcess(const std::filesystem::path& file, const MakeSampler& make);
    CounterProcess(const CounterProcess&) = delete;
    CounterProcess& operator=(const CounterProcess&) = delete;
    ~CounterProcess();

    void watch(const WatchedGpu& gpu);
    /// Ends the sampling; the file is complete then. What went wrong, in one sentence; empty: nothing did.
    [[nodiscard]] std::string stop();

  private:
    [[nodiscard]] bool waitUntilEnded(std::chrono::milliseconds limit, int& status) const;

    int m_pid = -1; ///< -1: it could not be started, or was stopped
    int m_orders = -1;
};

} // namespace tacho
