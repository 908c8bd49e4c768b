// SPDX-License-Identifier: Apache-2.0
// Tells a signal that was sent to this process from one that was sent to its whole group.
#pragma once

#include <array>
#include <sys/types.h>

namespace tacho {

/// A child process that does nothing but sit in this process's group, with all signals blocked. Who signals
/// the group (kill -TERM -GROUP, a batch system at the end of the time limit) signals it too, and that is
/// seen in /proc. It is called "signal-witness", has no open files, and dies with this process. Without it
/// (no process to be had, no /proc) no signal is ever said to be the group's.
class SignalWitness {
  public:
    SignalWitness();
    SignalWitness(const SignalWitness&) = delete;
    SignalWitness& operator=(const SignalWitness&) = delete;
    ~SignalWitness();

    /// Whether the group got `signal` too. Waits up to 20 ms, as its sender may go from process to process.
    /// This and forget() may be called in signal handlers.
    [[nodiscard]] bool hasGot(int signal) const noexcept;
    /// To be called after each signal, for the next one of the same number.
    void forget() const noexcept;

  private:
    [[nodiscard]] bool isPending(int signal) const noexcept;

    pid_t m_pid;
    std::array<char, 32> m_statusFile{};
};

} // namespace tacho
