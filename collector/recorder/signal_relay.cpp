// SPDX-License-Identifier: Apache-2.0
#include "collector/recorder/signal_relay.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <unistd.h>

namespace tacho {

namespace {

// Shared with the handler, hence lock-free atomics.
std::atomic<int> g_receiver{0};     // 0: nobody
std::atomic<unsigned> g_waiting{0}; // bit n: signal n came while there was no receiver
std::atomic<bool> g_isReceiverGone{false};
std::atomic<bool> g_stopAsked{false};
std::atomic<const SignalWitness*> g_witness{nullptr};

// A write that fails is an error to report, not a death of the recorder that hides the command's exit status.
constexpr std::array<int, 2> kWriteSignals = {SIGPIPE, SIGXFSZ};
std::array<struct sigaction, kWriteSignals.size()> g_writeActionsBefore{}; // for the command

void restoreWriteActions() {
    for (std::size_t i = 0; i < kWriteSignals.size(); ++i)
        sigaction(kWriteSignals[i], &g_writeActionsBefore[i], nullptr);
}
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<unsigned>::is_always_lock_free);

bool asksToStop(int signal) {
    return signal != SIGUSR1 && signal != SIGUSR2;
}

/// A second one could break off what the command does on the first: save its state.
bool hasGotItself(int pid, int signal, const siginfo_t& info) {
    const bool fromKeyboard = info.si_code == SI_KERNEL;
    return fromKeyboard || (getpgid(pid) == getpgrp() && g_witness.load()->hasGot(signal));
}

void relay(int signal, siginfo_t* info, void*) {
    const int savedErrno = errno;
    const int pid = g_receiver.load();
    if (g_isReceiverGone.load())
        g_stopAsked = g_stopAsked.load() || asksToStop(signal);
    else if (pid == 0)
        g_waiting.fetch_or(1U << static_cast<unsigned>(signal));
    else if (!hasGotItself(pid, signal, *info))
        kill(pid, signal);
    g_witness.load()->forget();
    errno = savedErrno;
}

} // namespace

SignalRelay::SignalRelay() {
    g_receiver = 0;
    g_waiting = 0;
    g_isReceiverGone = false;
    g_stopAsked = false;
    g_witness = &m_witness;
    struct sigaction action {};
    action.sa_sigaction = relay;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    struct sigaction ignore {};
    ignore.sa_handler = SIG_IGN;
    for (std::size_t i = 0; i < kWriteSignals.size(); ++i)
        sigaction(kWriteSignals[i], &ignore, &g_writeActionsBefore[i]);
    for (std::size_t i = 0; i < kSignals.size(); ++i) {
        sigaction(kSignals[i], nullptr, &m_before[i]);
        if (m_before[i].sa_handler != SIG_IGN)
            sigaction(kSignals[i], &action, nullptr);
    }
}

SignalRelay::~SignalRelay() {
    restoreWriteActions();
    for (std::size_t i = 0; i < kSignals.size(); ++i)
        sigaction(kSignals[i], &m_before[i], nullptr);
}

void SignalRelay::attach(int pid) {
    g_receiver = pid;
    const unsigned missed = g_waiting.exchange(0);
    for (const int signal : kSignals)
        if ((missed >> static_cast<unsigned>(signal) & 1U) != 0)
            kill(pid, signal);
}

void SignalRelay::detach() {
    g_isReceiverGone = true;
    g_receiver = 0;
}

bool SignalRelay::isAskedToStop() const {
    return g_stopAsked.load();
}

void SignalRelay::resetInChild() {
    restoreWriteActions();
    for (const int signal : kSignals) {
        struct sigaction action {};
        sigaction(signal, nullptr, &action);
        if (action.sa_handler == SIG_IGN)
            continue;
        action = {};
        action.sa_handler = SIG_DFL;
        sigaction(signal, &action, nullptr);
    }
}

} // namespace tacho
