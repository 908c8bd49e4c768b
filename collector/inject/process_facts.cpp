// SPDX-License-Identifier: Apache-2.0
#include "collector/inject/process_facts.h"

#include "collector/inject/cupti_api.h"
#include "collector/inject/cupti_versions.h"
#include "collector/inject/session.h"

#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>

namespace tacho {

namespace {

/// Fills `text` with the start of a file, always terminated; returns how many bytes that were.
std::size_t readFile(const char* path, char (&text)[spool::kMaxText]) noexcept {
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t bytes = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
    if (fd >= 0)
        close(fd);
    const std::size_t size = bytes < 0 ? 0 : static_cast<std::size_t>(bytes);
    text[size] = '\0';
    return size;
}

} // namespace

void sendProcessFacts(Session& session) noexcept {
    struct Source {
        const char* fact;
        const char* variables[4];
    };
    // torchrun and its like; Open MPI; MPICH and Slurm's PMI; Slurm.
    constexpr Source kSources[] = {
        {"rank", {"RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID"}},
        {"local_rank", {"LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "SLURM_LOCALID"}},
        {"world_size", {"WORLD_SIZE", "OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_NTASKS"}},
    };
    for (const Source& source : kSources) {
        for (const char* variable : source.variables) {
            if (const char* value = std::getenv(variable)) {
                session.fact(source.fact, value);
                break;
            }
        }
    }
    char commandLine[spool::kMaxText];
    const std::size_t bytes = readFile("/proc/self/cmdline", commandLine);
    for (std::size_t i = 0; i + 1 < bytes; ++i)
        if (commandLine[i] == '\0')
            commandLine[i] = '\n'; // one argument a line: they may contain spaces
    session.fact("process.arguments", commandLine);
}

void sendCudaFacts(Session& session, const CuptiApi& cupti) noexcept {
    char text[spool::kMaxText];
    std::snprintf(text, sizeof text, "%u", cupti.version);
    session.fact("cupti_version", text);
    if (cupti.file)
        session.fact("cupti_library", cupti.file);
    if (cupti.version >= cupti_version::kUnknown) {
        std::snprintf(
            text, sizeof text,
            "CUPTI %u is newer than tacho: its records are read as those of older versions, and what it "
            "added is not recorded",
            cupti.version);
        session.note(spool::Severity::Info, "cupti_newer_than_known", 1, text);
    }
    const std::size_t bytes = readFile("/sys/module/nvidia/version", text);
    if (bytes > 0 && text[bytes - 1] == '\n')
        text[bytes - 1] = '\0';
    if (bytes > 0)
        session.fact("driver_version", text);
}

} // namespace tacho
