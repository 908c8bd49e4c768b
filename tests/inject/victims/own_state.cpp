// SPDX-License-Identifier: Apache-2.0
// Looks whether NVTX calls leave errno, the signal mask and the low descriptors as they
// were.
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <nvtx3/nvToolsExt.h>
#include <string>
#include <unistd.h>

namespace {

std::string mask() {
    sigset_t now;
    pthread_sigmask(SIG_SETMASK, nullptr, &now);
    std::string blocked;
    for (int signal = 1; signal < NSIG; ++signal)
        blocked += sigismember(&now, signal) == 1 ? '1' : '0';
    return blocked;
}

int lowestFreeDescriptor() {
    const int fd = open("/dev/null", O_RDONLY);
    close(fd);
    return fd;
}

} // namespace

int main() {
    sigset_t some;
    sigemptyset(&some);
    sigaddset(&some, SIGUSR2);
    pthread_sigmask(SIG_BLOCK, &some, nullptr);
    const std::string before = mask();
    const int descriptor = lowestFreeDescriptor();
    errno = ERANGE;
    nvtxRangePushA("first call");
    bool kept = errno == ERANGE;
    for (int i = 0; i < 3000; ++i) { // fills the table of definitions
        nvtxDomainRegisterStringA(nullptr, (std::string(100, 'x') + std::to_string(i)).c_str());
        kept = kept && errno == ERANGE;
    }
    nvtxRangePop();
    std::printf("errno %d\n", kept && errno == ERANGE ? 1 : 0);
    std::printf("mask %d\n", mask() == before ? 1 : 0);
    std::printf("descriptor %d\n", lowestFreeDescriptor() == descriptor ? 1 : 0);
    return 0;
}
