// SPDX-License-Identifier: Apache-2.0
#include "collector/recorder/child_process.h"

#include <array>
#include <cerrno>
#include <ctime>
#include <fcntl.h>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>

namespace tacho {

namespace {

std::vector<std::string> withOwnEnvironment(const Environment& changes) {
    std::vector<std::string> all;
    for (char** variable = environ; *variable != nullptr; ++variable) {
        const std::string_view text = *variable;
        if (!changes.contains(std::string(text.substr(0, text.find('=')))))
            all.emplace_back(text);
    }
    for (const auto& [name, value] : changes)
        all.push_back(name + "=" + value);
    return all;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> all;
    for (std::string& text : texts)
        all.push_back(text.data());
    all.push_back(nullptr);
    return all;
}

int exitStatus(const siginfo_t& ended) {
    return ended.si_code == CLD_EXITED ? ended.si_status : 128 + ended.si_status;
}

} // namespace

ChildProcess::ChildProcess(const std::vector<std::string>& command, const Environment& environment,
                           SignalRelay& relay)
    : m_relay(&relay) {
    // An inherited SIG_IGN would let the kernel throw the exit status away.
    struct sigaction byDefault {};
    byDefault.sa_handler = SIG_DFL;
    sigaction(SIGCHLD, &byDefault, &m_childActionBefore);
    // No handler may run in the child before exec, nor here before the relay knows the child.
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &m_maskBefore);
    m_startError = start(command, environment);
    if (m_startError == 0)
        m_relay->attach(m_pid);
    sigset_t whileRunning = m_maskBefore;
    sigaddset(&whileRunning, SIGCHLD); // waited for by sigtimedwait
    sigprocmask(SIG_SETMASK, &whileRunning, nullptr);
}

int ChildProcess::start(std::vector<std::string> command, const Environment& environment) {
    std::vector<std::string> variables = withOwnEnvironment(environment);
    const std::vector<char*> argv = pointers(command), envp = pointers(variables);
    std::array<int, 2> failure{}; // closed by a successful exec, else tells its errno
    if (pipe2(failure.data(), O_CLOEXEC) != 0)
        return errno;
    m_pid = fork();
    if (m_pid == 0) {
        SignalRelay::resetInChild();
        sigaction(SIGCHLD, &m_childActionBefore, nullptr);
        sigprocmask(SIG_SETMASK, &m_maskBefore, nullptr);
        execvpe(argv.front(), argv.data(), envp.data());
        const int error = errno;
        [[maybe_unused]] const ssize_t told = write(failure[1], &error, sizeof error);
        _exit(127);
    }
    int error = m_pid < 0 ? errno : 0;
    close(failure[1]);
    if (m_pid > 0 && read(failure[0], &error, sizeof error) > 0)
        waitpid(m_pid, nullptr, 0);
    close(failure[0]);
    return error;
}

ChildProcess::~ChildProcess() {
    sigprocmask(SIG_SETMASK, &m_maskBefore, nullptr);
    sigaction(SIGCHLD, &m_childActionBefore, nullptr);
}

std::optional<int> ChildProcess::waitFor(std::chrono::milliseconds limit) {
    sigset_t childEnded;
    sigemptyset(&childEnded);
    sigaddset(&childEnded, SIGCHLD);
    const timespec timeout{.tv_sec = limit.count() / 1000, .tv_nsec = limit.count() % 1000 * 1'000'000};
    siginfo_t ended{};
    const auto hasEnded = [&] {
        return waitid(P_PID, static_cast<id_t>(m_pid), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 &&
               ended.si_pid == m_pid;
    };
    if (!m_exitStatus && !hasEnded()) {
        sigtimedwait(&childEnded, nullptr, &timeout);
        if (!hasEnded())
            return std::nullopt;
    }
    if (!m_exitStatus) {
        m_exitStatus = exitStatus(ended);
        m_relay->detach(); // before the id is given back to the system
        waitpid(m_pid, nullptr, 0);
    }
    return m_exitStatus;
}

} // namespace tacho
