// SPDX-License-Identifier: Apache-2.0
// Passes the signals that people and schedulers send on to the command.
#pragma once

#include "collector/recorder/signal_witness.h"

#include <array>
#include <csignal>

namespace tacho {

/// While one exists, SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1 and SIGUSR2 do not end this process but go to
/// the command; those that were ignored before (nohup) stay ignored. What the command, in the same process
/// group, has got itself is not passed on: a signal from the terminal's keyboard, or to the whole group.
/// Writes that fail end no process: SIGPIPE and SIGXFSZ are ignored, but not for the command. One at a time.
class SignalRelay {
  public:
    SignalRelay();
    SignalRelay(const SignalRelay&) = delete;
    SignalRelay& operator=(const SignalRelay&) = delete;
    ~SignalRelay();

    /// From now on signals go to `pid`; those that came before are sent to it now.
    void attach(int pid);
    /// REQUIRES the process was not reaped yet: its id would not be its own any more.
    void detach();
    /// Whether SIGINT, SIGTERM, SIGHUP or SIGQUIT came since detach(): the user will not wait.
    [[nodiscard]] bool isAskedToStop() const;
    /// To be called in a forked child before it calls exec.
    static void resetInChild();

  private:
    static constexpr std::array<int, 6> kSignals = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};
    SignalWitness m_witness; // before any handler
    std::array<struct sigaction, 6> m_before{};
};

} // namespace tacho
