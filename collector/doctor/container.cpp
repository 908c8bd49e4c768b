// SPDX-License-Identifier: Apache-2.0
#include "collector/doctor/checks.h"

#include <fmt/format.h>

namespace tacho {

namespace {

/// Name of the container that this is; empty: none is seen.
std::string containerName(const Machine& machine) {
    for (const char* variable : {"APPTAINER_CONTAINER", "SINGULARITY_CONTAINER"})
        if (!machine.variable(variable).empty())
            return "Apptainer";
    if (machine.has("run/.containerenv"))
        return "Podman";
    if (machine.has(".dockerenv"))
        return "Docker";
    if (!machine.variable("KUBERNETES_SERVICE_HOST").empty())
        return "Kubernetes";
    return {};
}

} // namespace

Diagnoses checkContainer(const Machine& machine) {
    const std::string name = containerName(machine);
    if (name.empty())
        return {};
    return {{"container", Condition::Ok,
             fmt::format("{}: start tacho inside, and write the trace to a mounted folder", name), "", ""}};
}

} // namespace tacho
