// SPDX-License-Identifier: Apache-2.0
#include "collector/doctor/checks.h"

#include <fmt/format.h>

namespace tacho {

namespace {

struct Launcher {
    const char* name;
    const char* rank;
    const char* worldSize;
};

constexpr Launcher kLaunchers[] = {
    {"Open MPI", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
    {"torchrun", "TORCHELASTIC_RUN_ID", "WORLD_SIZE"},
    {"Slurm", "SLURM_PROCID", "SLURM_NTASKS"},
    {"MPICH", "PMI_RANK", "PMI_SIZE"},
};

} // namespace

Diagnoses checkLauncher(const Machine& machine) {
    for (const Launcher& launcher : kLaunchers) {
        if (machine.variable(launcher.rank).empty())
            continue;
        const std::string size = machine.variable(launcher.worldSize);
        return {
            {"launcher", Condition::Ok,
             fmt::format(
                 "{}, {} tasks: a tacho in front of each task writes one file a task, a tacho in front of "
                 "the launcher one file a machine",
                 launcher.name, size.empty() ? "some" : size),
             "", ""}};
    }
    return {};
}

} // namespace tacho
