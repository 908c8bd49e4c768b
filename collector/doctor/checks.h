// SPDX-License-Identifier: Apache-2.0
// The checks of `tacho doctor`: each a function of what was found out before, in a file of its name.
#pragma once

#include "collector/doctor/diagnosis.h"
#include "collector/doctor/machine.h"
#include "collector/doctor/probes.h"

#include <cstdint>
#include <filesystem>

namespace tacho {

/// Of one process; absent limits are the largest number.
struct ProcessLimits {
    std::uint64_t openFiles = 0;
    std::uint64_t fileBytes = 0;

    [[nodiscard]] static ProcessLimits ofThisProcess();
};

/// Where the trace would be written.
struct OutputRoom {
    std::filesystem::path folder;
    std::string problem; ///< why nothing can be written there; empty: it can
    std::uint64_t freeBytes = 0;

    /// Writes a file there and removes it.
    [[nodiscard]] static OutputRoom of(const std::filesystem::path& folder);
};

[[nodiscard]] Diagnoses checkLibrary(const std::filesystem::path& library, const std::string& problem);
[[nodiscard]] Diagnoses checkDriver(const Machine& machine, const DriverProbe& driver);
[[nodiscard]] Diagnoses checkCupti(const CuptiProbe& cupti, const PythonProbe& python,
                                   const DriverProbe& driver);
[[nodiscard]] Diagnoses checkCounters(const Machine& machine);
[[nodiscard]] Diagnoses checkVariables(const Machine& machine);
[[nodiscard]] Diagnoses checkOtherTools(const Machine& machine);
[[nodiscard]] Diagnoses checkPython(const std::string& python, const PythonProbe& probe);
[[nodiscard]] Diagnoses checkOutput(const OutputRoom& room);
[[nodiscard]] Diagnoses checkLimits(const ProcessLimits& limits);
[[nodiscard]] Diagnoses checkContainer(const Machine& machine);
[[nodiscard]] Diagnoses checkLauncher(const Machine& machine);

} // namespace tacho
