// SPDX-License-Identifier: Apache-2.0
#include "collector/doctor/checks.h"

#include <fmt/format.h>
#include <regex>

namespace tacho {

namespace {

constexpr int kOldestCuda = 11'080;

/// "580.95.05" out of the first line of the driver's own version file; empty: it is not loaded.
std::string kernelModule(const Machine& machine) {
    const std::string line = fieldOf(machine.text("proc/driver/nvidia/version"), "NVRM version");
    std::smatch match;
    return std::regex_search(line, match, std::regex(R"(\b\d+\.\d+(\.\d+)?\b)")) ? match.str()
                                                                                 : std::string();
}

std::string cudaText(int version) {
    return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

Diagnosis driverLine(const Machine& machine, const DriverProbe& driver) {
    const std::string module = kernelModule(machine);
    const std::string loaded = module.empty() ? "no NVIDIA driver is loaded" : "NVIDIA driver " + module;
    if (!driver.problem.empty())
        return {"driver", Condition::Broken, fmt::format("{}; {}", loaded, driver.problem),
                "all GPU activity",
                module.empty()
                    ? "install the NVIDIA driver; in a container, start it with the GPUs (docker --gpus "
                      "all, apptainer --nv)"
                    : "make libcuda.so.1 of this driver visible here, as docker --gpus all and apptainer "
                      "--nv do"};
    if (driver.cudaVersion < kOldestCuda)
        return {"driver", Condition::Broken,
                fmt::format("{} is of CUDA {}", loaded, cudaText(driver.cudaVersion)), "all GPU activity",
                "install a driver of CUDA 11.8 (520) or newer"};
    return {"driver", Condition::Ok,
            fmt::format("{}, for CUDA up to {}", loaded, cudaText(driver.cudaVersion)), "", ""};
}

Diagnosis gpuLine(const Machine& machine, const DriverProbe& driver) {
    if (!driver.gpus.empty())
        return {"gpu", Condition::Ok,
                fmt::format("{} ({})", driver.gpus.size(), fmt::join(driver.gpus, ", ")), "", ""};
    const std::string visible = machine.variable("CUDA_VISIBLE_DEVICES");
    return {"gpu", Condition::Broken,
            machine.environment.contains("CUDA_VISIBLE_DEVICES")
                ? fmt::format("none visible, CUDA_VISIBLE_DEVICES is \"{}\"", visible)
                : "none visible",
            "all GPU activity", "run where a GPU is; in a job, ask the scheduler for one"};
}

} // namespace

Diagnoses checkDriver(const Machine& machine, const DriverProbe& driver) {
    Diagnoses lines = {driverLine(machine, driver)};
    if (driver.problem.empty())
        lines.push_back(gpuLine(machine, driver));
    return lines;
}

} // namespace tacho
