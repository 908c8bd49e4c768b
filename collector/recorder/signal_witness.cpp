// SPDX-License-Identifier: Apache-2.0
#include "collector/recorder/signal_witness.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tacho {

namespace {

constexpr int kForget = SIGURG; // ignored by those who do not wait for it

[[noreturn]] void bearWitness(pid_t parent) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(0);
    // Who kills by name ("pkill tacho") means the recorder alone.
    prctl(PR_SET_NAME, "signal-witness");
    std::memset(program_invocation_name, 0, std::strlen(program_invocation_name));
    constexpr int kUsualLimit = 1024;
    for (int fd = 0; fd < kUsualLimit; ++fd) // a pipe of the command's must not be held open
        close(fd);
    sigset_t all, forget;
    sigfillset(&all);
    sigemptyset(&forget);
    sigaddset(&forget, kForget);
    const timespec atOnce{};
    for (;;) {
        sigwaitinfo(&forget, nullptr);
        while (sigtimedwait(&all, nullptr, &atOnce) > 0) {
        }
    }
}

} // namespace

SignalWitness::SignalWitness() {
    const pid_t self = getpid();
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before); // inherited by the witness
    m_pid = fork();
    if (m_pid == 0)
        bearWitness(self);
    sigprocmask(SIG_SETMASK, &before, nullptr);
    std::snprintf(m_statusFile.data(), m_statusFile.size(), "/proc/%d/status", static_cast<int>(m_pid));
}

SignalWitness::~SignalWitness() {
    if (m_pid < 0)
        return;
    kill(m_pid, SIGKILL);
    while (waitpid(m_pid, nullptr, 0) < 0 && errno == EINTR) {
    }
}

// No function of stdio: this runs in signal handlers.
bool SignalWitness::isPending(int signal) const noexcept {
    std::array<char, 4096> text{};
    const int fd = open(m_statusFile.data(), O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    [[maybe_unused]] const ssize_t bytes = read(fd, text.data(), text.size() - 1);
    close(fd);
    constexpr const char* kField =
        "\nShdPnd:\t"; // proc(5): 16 hexadecimal digits, signal 1 is the lowest bit
    const char* const field = std::strstr(text.data(), kField);
    const std::size_t digitFromRight = static_cast<std::size_t>(signal - 1) / 4;
    if (!field || std::strlen(field) < std::strlen(kField) + 16)
        return false;
    const char digit = field[std::strlen(kField) + 15 - digitFromRight];
    const int value = digit <= '9' ? digit - '0' : digit - 'a' + 10;
    return (value >> ((signal - 1) % 4) & 1) != 0;
}

bool SignalWitness::hasGot(int signal) const noexcept {
    constexpr int kTries = 20;
    const timespec pause{.tv_sec = 0, .tv_nsec = 1'000'000};
    for (int i = 0; m_pid > 0 && i < kTries; ++i) {
        if (isPending(signal))
            return true;
        nanosleep(&pause, nullptr);
    }
    return false;
}

void SignalWitness::forget() const noexcept {
    if (m_pid > 0)
        kill(m_pid, kForget);
}

} // namespace tacho
