// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/cli/program.h"

#include <cstdlib>
#include <fstream>
#include <sstream>

#include <fcntl.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tacho {
namespace {

std::string contentOf(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// In the child: does not return.
void becomeTacho(const Words& arguments, const Words& environment) {
    for (const auto& setting : environment) {
        const auto equals = setting.find('=');
        setenv(setting.substr(0, equals).c_str(), setting.substr(equals + 1).c_str(), 1);
    }
    std::vector<char*> words{const_cast<char*>(TACHO_PROGRAM)};
    for (const auto& argument : arguments)
        words.push_back(const_cast<char*>(argument.c_str()));
    words.push_back(nullptr);
    execv(TACHO_PROGRAM, words.data());
    _exit(127);
}

int statusOf(pid_t child) {
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void redirect(int stream, const std::filesystem::path& file) {
    const int opened = open(file.c_str(), O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0600);
    dup2(opened, stream);
}

} // namespace

Outcome runTacho(const Words& arguments, const Words& environment) {
    const test::TemporaryFolder folder;
    const pid_t child = fork();
    if (child == 0) {
        redirect(STDOUT_FILENO, folder / "out");
        redirect(STDERR_FILENO, folder / "err");
        becomeTacho(arguments, environment);
    }
    const int status = statusOf(child);
    return {status, contentOf(folder / "out"), contentOf(folder / "err")};
}

Outcome runTachoOnTerminal(int columns, const Words& arguments, const Words& environment) {
    winsize size{};
    size.ws_row = 24;
    size.ws_col = static_cast<unsigned short>(columns);
    int terminal = -1;
    const pid_t child = forkpty(&terminal, nullptr, nullptr, &size);
    if (child == 0)
        becomeTacho(arguments, environment);
    Outcome outcome;
    char buffer[4096];
    for (ssize_t bytes = 0;
         (bytes = read(terminal, buffer, sizeof buffer)) > 0;) // EIO: the program has ended
        outcome.out.append(buffer, static_cast<std::size_t>(bytes));
    outcome.status = statusOf(child);
    close(terminal);
    std::erase(outcome.out, '\r');
    return outcome;
}

Workplace::Workplace() : m_before(std::filesystem::current_path()) {
    std::filesystem::current_path(m_folder.path());
}

Workplace::~Workplace() {
    std::filesystem::current_path(m_before);
}

std::string Workplace::write(const std::string& name, const std::string& text) const {
    std::ofstream(m_folder / name, std::ios::binary) << text;
    return name;
}

std::vector<std::string> linesOf(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);)
        lines.push_back(line);
    return lines;
}

std::string smallKinetoTrace() {
    return R"json({"schemaVersion": 1,
        "deviceProperties": [{"id": 0, "name": "NVIDIA A100-SXM4-40GB", "totalGlobalMem": 42505273344,
                              "computeMajor": 8, "computeMinor": 0, "numSms": 108}],
        "traceEvents": [
        {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 10, "tid": 10, "ts": 1000, "dur": 5,
         "args": {"correlation": 1}},
        {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 10, "tid": 10, "ts": 1010, "dur": 5,
         "args": {"correlation": 2}},
        {"ph": "X", "cat": "cuda_runtime", "name": "cudaMemcpyAsync", "pid": 10, "tid": 10, "ts": 1020, "dur": 6,
         "args": {"correlation": 3}},
        {"ph": "X", "cat": "kernel", "name": "gemm<float, 4>(float*)", "pid": 0, "tid": 7, "ts": 1100, "dur": 30,
         "args": {"device": 0, "stream": 7, "correlation": 1, "grid": [1, 1, 1], "block": [32, 1, 1]}},
        {"ph": "X", "cat": "kernel", "name": "gemm<float, 4>(float*)", "pid": 0, "tid": 7, "ts": 1140, "dur": 50,
         "args": {"device": 0, "stream": 7, "correlation": 2, "grid": [1, 1, 1], "block": [32, 1, 1]}},
        {"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy HtoD (Pageable -> Device)", "pid": 0, "tid": 7, "ts": 1200,
         "dur": 20, "args": {"device": 0, "stream": 7, "correlation": 3, "bytes": 4096}}
        ]
})json";
}

} // namespace tacho
