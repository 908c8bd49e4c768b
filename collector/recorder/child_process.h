// SPDX-License-Identifier: Apache-2.0
// The command being recorded.
#pragma once

#include "collector/recorder/signal_relay.h"

#include <chrono>
#include <csignal>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tacho {

/// Variables the command gets besides this process's own, by name.
using Environment = std::map<std::string, std::string>;

/// A child with this process's stdin, stdout, stderr, folder, and process group.
class ChildProcess {
  public:
    /// Starts the command as a shell would. Passes signals on by `relay`, which must outlive this.
    ChildProcess(const std::vector<std::string>& command, const Environment& environment, SignalRelay& relay);
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;
    ~ChildProcess();

    /// Errno of the system's refusal to start the command; 0: it was started.
    [[nodiscard]] int startError() const { return m_startError; }
    /// Waits until the command ends, or for this long. Its exit status as a shell gives it (128+n: killed by
    /// signal n); absent: it still runs. REQUIRES startError() == 0.
    [[nodiscard]] std::optional<int> waitFor(std::chrono::milliseconds limit);

  private:
    /// Errno of the failure, or 0. REQUIRES all signals blocked.
    [[nodiscard]] int start(std::vector<std::string> command, const Environment& environment);

    SignalRelay* m_relay;
    int m_pid = 0;
    int m_startError = 0;
    std::optional<int> m_exitStatus;
    sigset_t m_maskBefore{};
    struct sigaction m_childActionBefore {};
};

} // namespace tacho
