// SPDX-License-Identifier: Apache-2.0
// Starts itself by vfork, by posix_spawn and by system(); each image makes one mark, named as it was started.
#include <cstdlib>
#include <nvtx3/nvToolsExt.h>
#include <spawn.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace {

int statusOf(pid_t pid) {
    int status = 0;
    waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

int byVfork(char* program) {
    const pid_t pid = vfork();
    if (pid == 0) {
        execl(program, program, "vfork", nullptr);
        _exit(1);
    }
    return statusOf(pid);
}

int byPosixSpawn(char* program) {
    char how[] = "posix_spawn";
    char* arguments[] = {program, how, nullptr};
    pid_t pid = 0;
    return posix_spawn(&pid, program, nullptr, nullptr, arguments, environ) == 0 ? statusOf(pid) : 1;
}

} // namespace

int main(int argc, char** argv) {
    nvtxMarkA(argc > 1 ? argv[1] : "spawner");
    if (argc > 1)
        return 30;
    const int first = byVfork(argv[0]), second = byPosixSpawn(argv[0]);
    const int third = WEXITSTATUS(std::system((std::string(argv[0]) + " system").c_str()));
    nvtxMarkA("done");
    return first == 30 && second == 30 && third == 30 ? 31 : 1;
}
