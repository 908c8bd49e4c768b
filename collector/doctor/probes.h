// SPDX-License-Identifier: Apache-2.0
// What only a running driver, a loaded library or a started Python can tell. Plain values, so that the checks
// can be tested with any answer.
#pragma once

#include "collector/doctor/machine.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tacho {

struct DriverProbe {
    std::string problem;           ///< why there is no working driver; empty: there is one
    int cudaVersion = 0;           ///< newest CUDA that the driver supports: 13000 for 13.0
    std::vector<std::string> gpus; ///< names of the GPUs that this process may use
};

struct CuptiProbe {
    std::string problem;       ///< why none is usable; empty: there is one
    std::string file;          ///< the library, as far as the linker tells
    std::uint32_t version = 0; ///< see cupti_versions.h
};

struct PythonProbe {
    std::string problem; ///< why Python gave no answer; empty: it did
    std::string version; ///< "3.11.2"
    bool loadsHook = false;
    std::string torch;     ///< version; empty: not installed
    std::string torchCuda; ///< "13.0"; empty: a build without CUDA
    std::string cupti;     ///< CUPTI library that torch brings; empty: none found
};

/// Loads and initialises the driver in this process, without the tool that CUDA_INJECTION64_PATH may name.
[[nodiscard]] DriverProbe probeDriver();
/// Takes the CUPTI that the injected library would take in a process that has none yet.
[[nodiscard]] CuptiProbe probeCupti(const Machine& machine);
/// Why the library cannot be loaded here or is not ours; empty: it can.
[[nodiscard]] std::string probeLibrary(const std::filesystem::path& library);
/// Runs `python` with the hook on its path and gives it 20 s.
[[nodiscard]] PythonProbe probePython(const std::string& python, const std::filesystem::path& hook);

} // namespace tacho
