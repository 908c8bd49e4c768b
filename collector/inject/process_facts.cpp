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

/// What a launcher calls these things in the environment of the processes it starts.
struct Launcher {
    const char* rank;
    const char* localRank;
    const char* worldSize;
};

constexpr Launcher kLaunchers[] = {
    {"RANK", "LOCAL_RANK", "WORLD_SIZE"}, // torchrun and its like
    {"HOROVOD_RANK", "HOROVOD_LOCAL_RANK", "HOROVOD_SIZE"},
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_SIZE"}, // Open MPI
    {"MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_LOCAL_RANK", "MV2_COMM_WORLD_SIZE"},    // MVAPICH2
    {"PMI_RANK", "MPI_LOCALRANKID", "PMI_SIZE"},                                    // MPICH, Intel MPI
    // Of srun. A batch script has SLURM_PROCID and SLURM_NTASKS too, though it is no task.
    {"SLURM_PROCID", "SLURM_LOCALID", "SLURM_STEP_NUM_TASKS"},
};

/// Whether this process is one of several that this launcher started.
bool isOneOfSeveral(const Launcher& launcher) noexcept {
    const char* const rank = std::getenv(launcher.rank);
    const char* const worldSize = std::getenv(launcher.worldSize);
    return rank && *rank != '\0' && worldSize && std::strtol(worldSize, nullptr, 10) > 1;
}

// Launchers may be nested (srun starts torchrun): then the innermost counts, and is asked first. What it does
// not say, another may: scripts set RANK from SLURM_PROCID, but seldom LOCAL_RANK.
void sendRank(Session& session) noexcept {
    struct Fact {
        const char* name;
        const char* Launcher::*variable;
    };
    for (const Fact& fact : {Fact{"rank", &Launcher::rank}, Fact{"local_rank", &Launcher::localRank},
                             Fact{"world_size", &Launcher::worldSize}}) {
        for (const Launcher& launcher : kLaunchers) {
            const char* const value =
                isOneOfSeveral(launcher) ? std::getenv(launcher.*fact.variable) : nullptr;
            if (!value || *value == '\0')
                continue;
            session.fact(fact.name, value);
            break;
        }
    }
}

} // namespace

void sendProcessFacts(Session& session) noexcept {
    sendRank(session);
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
