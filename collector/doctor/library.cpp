// SPDX-License-Identifier: Apache-2.0
#include "collector/doctor/checks.h"

#include <fmt/format.h>

namespace tacho {

Diagnoses checkLibrary(const std::filesystem::path& library, const std::string& problem) {
    if (problem.empty())
        return {{"library", Condition::Ok,
                 fmt::format("{} loads; NVTX ranges are recorded", library.string()), "", ""}};
    return {{"library", Condition::Broken, problem, "everything but the exit status of the command",
             "install tacho again, or build it on a machine with the CUDA toolkit"}};
}

} // namespace tacho
