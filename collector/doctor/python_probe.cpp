// SPDX-License-Identifier: Apache-2.0
#include "collector/doctor/probes.h"

#include "collector/inject/spool_format.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <optional>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tacho {

namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kLimit = std::chrono::seconds(20); // a Python on a network file system may take several

// The torch module is looked for, not imported: that would take seconds, and start threads.
constexpr char kScript[] = R"PYTHON(
import sys
print("version: %d.%d.%d" % sys.version_info[:3])
print("hook: %d" % ("tacho_hook.torch_import" in sys.modules))
import glob, importlib.util, os, re
spec = importlib.util.find_spec("torch")
if spec and spec.submodule_search_locations:
    torch = list(spec.submodule_search_locations)[0]
    with open(os.path.join(torch, "version.py")) as file:
        text = file.read()
    for label, pattern in (("torch", r"^__version__.*= *['\"]([^'\"]+)"), ("cuda", r"^cuda.*= *['\"]([^'\"]+)")):
        match = re.search(pattern, text, re.MULTILINE)
        print("%s: %s" % (label, match.group(1) if match else ""))
    for pattern in ("../nvidia/*/lib/libcupti.so*", "lib/libcupti*.so*"):
        for file in sorted(glob.glob(os.path.join(torch, pattern)))[:1]:
            print("cupti: " + os.path.normpath(file))
)PYTHON";

/// Starts the program with its output in a pipe; the end to read from, or -1 with errno.
int start(const std::string& python, const std::string& hook, pid_t& pid) {
    std::array<int, 2> output{};
    if (pipe2(output.data(), O_CLOEXEC) != 0)
        return -1;
    pid = fork();
    if (pid == 0) {
        dup2(output[1], STDOUT_FILENO);
        const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
        dup2(nothing, STDIN_FILENO);
        dup2(nothing, STDERR_FILENO);
        // As the recorder sets them, except that nobody records: the hook only gets as far as waiting for
        // torch.
        const char* const old = getenv("PYTHONPATH");
        setenv("PYTHONPATH", (old && *old ? hook + ":" + old : hook).c_str(), 1);
        setenv(spool::kDirectoryVariable, "/nonexistent", 1);
        setenv("CUDA_INJECTION64_PATH", "/nonexistent", 1);
        execlp(python.c_str(), python.c_str(), "-c", kScript, static_cast<char*>(nullptr));
        _exit(127);
    }
    close(output[1]);
    return pid < 0 ? -1 : output[0];
}

/// All that comes until the pipe's end; absent: it did not end in time.
std::optional<std::string> readAll(int pipe) {
    std::string text;
    const Clock::time_point until = Clock::now() + kLimit;
    for (;;) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now());
        pollfd ready{.fd = pipe, .events = POLLIN, .revents = 0};
        if (left.count() <= 0 || poll(&ready, 1, static_cast<int>(left.count())) == 0)
            return std::nullopt;
        char piece[4096];
        const ssize_t bytes = read(pipe, piece, sizeof piece);
        if (bytes == 0 || (bytes < 0 && errno != EINTR))
            return text;
        text.append(piece, bytes > 0 ? static_cast<std::size_t>(bytes) : 0);
    }
}

} // namespace

PythonProbe probePython(const std::string& python, const std::filesystem::path& hook) {
    PythonProbe probe;
    pid_t pid = -1;
    const int pipe = start(python, hook.string(), pid);
    if (pipe < 0) {
        probe.problem = fmt::format("{} cannot be started: {}", python, std::strerror(errno));
        return probe;
    }
    const std::optional<std::string> answer = readAll(pipe);
    close(pipe);
    if (!answer)
        kill(pid, SIGKILL);
    int status = 0;
    waitpid(pid, &status, 0);
    if (!answer)
        probe.problem = fmt::format("{} did not answer within {} s", python, kLimit.count());
    else if (WIFEXITED(status) && WEXITSTATUS(status) == 127 && answer->empty())
        probe.problem = fmt::format("there is no program {}", python);
    else if ((probe.version = fieldOf(*answer, "version")).empty())
        probe.problem = fmt::format("{} is not a Python 3", python);
    probe.loadsHook = answer && fieldOf(*answer, "hook") == "1";
    probe.torch = answer ? fieldOf(*answer, "torch") : "";
    probe.torchCuda = answer ? fieldOf(*answer, "cuda") : "";
    probe.cupti = answer ? fieldOf(*answer, "cupti") : "";
    return probe;
}

} // namespace tacho
