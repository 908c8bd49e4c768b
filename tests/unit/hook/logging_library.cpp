// SPDX-License-Identifier: Apache-2.0
// Stands in for the injected library: appends every call of the hook to $TACHO_SPOOL_DIR/calls, one a line.
#include "collector/inject/hook_api.h"

#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <string>
#include <unistd.h>

namespace {
void append(const std::string& call) {
    const char* folder = std::getenv("TACHO_SPOOL_DIR");
    const std::string line = std::to_string(getpid()) + " " + call + "\n";
    const int file = open((std::string(folder ? folder : ".") + "/calls").c_str(),
                          O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0 || write(file, line.data(), line.size()) < 0)
        std::perror("tacho test library");
    close(file);
}
} // namespace

int tacho_attach() {
    append("attach");
    return std::getenv("TEST_NOT_RECORDED") ? 0 : 1;
}

void tacho_step_end(std::uint64_t index) {
    append("step_end " + std::to_string(index));
}

void tacho_phase_begin(const char* name) {
    append(std::string("begin ") + name);
}

void tacho_phase_end() {
    append("end");
}

void tacho_fact(const char* name, const char* value) {
    append(std::string("fact ") + name + "=" + value);
}

void tacho_memory(std::uint32_t device, std::uint64_t allocated, std::uint64_t reserved,
                  std::uint64_t peakAllocated) {
    append("memory " + std::to_string(device) + " " + std::to_string(allocated) + " " +
           std::to_string(reserved) + " " + std::to_string(peakAllocated));
}

void tacho_flush() {
    append("flush");
}
