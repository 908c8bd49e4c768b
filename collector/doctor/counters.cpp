// SPDX-License-Identifier: Apache-2.0
#include "collector/doctor/checks.h"

#include <cstdlib>

namespace tacho {

namespace {

bool isAdministrator(const Machine& machine) {
    constexpr unsigned kCapSysAdmin = 21;
    const std::string effective = fieldOf(machine.text("proc/self/status"), "CapEff");
    return (std::strtoull(effective.c_str(), nullptr, 16) >> kCapSysAdmin & 1U) != 0;
}

} // namespace

Diagnoses checkCounters(const Machine& machine) {
    const std::string restricted = fieldOf(machine.text("proc/driver/nvidia/params"), "RmProfilingAdminOnly");
    if (restricted.empty()) // no driver, which has a line of its own
        return {};
    if (restricted == "0")
        return {{"counters", Condition::Ok, "every user may read the GPU's counters", "", ""}};
    if (isAdministrator(machine))
        return {{"counters", Condition::Ok, "administrators may read the GPU's counters, and this is one", "",
                 ""}};
    return {{"counters", Condition::Limited, "only administrators may read the GPU's counters",
             "GPU counters; kernels, copies and steps are recorded",
             "set the option NVreg_RestrictProfilingToAdminUsers=0 of the kernel module nvidia, or give the "
             "process "
             "CAP_SYS_ADMIN"}};
}

} // namespace tacho
