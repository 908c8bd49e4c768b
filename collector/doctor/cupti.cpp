// SPDX-License-Identifier: Apache-2.0
#include "collector/doctor/checks.h"

#include "collector/inject/cupti_versions.h"

#include <fmt/format.h>

namespace tacho {

namespace {

/// Major version of the toolkit that a CUPTI is of.
int cudaMajor(std::uint32_t cupti) {
    if (cupti >= cupti_version::kCuda130)
        return static_cast<int>(cupti / 10'000);
    return cupti >= cupti_version::kCuda120 ? 12 : 11;
}

std::string versionText(std::uint32_t cupti) {
    if (cupti >= cupti_version::kCuda130)
        return fmt::format("CUPTI {}.{}", cupti / 10'000, cupti / 100 % 100);
    return fmt::format("CUPTI of CUDA {} (version {})", cudaMajor(cupti), cupti);
}

Diagnosis missing(const CuptiProbe& cupti, const PythonProbe& python) {
    constexpr char kFix[] =
        "install the CUPTI of the CUDA toolkit (11.8 or newer), or name its file: --cupti FILE";
    if (!python.cupti.empty())
        return {"cupti", Condition::Limited,
                fmt::format("{}; PyTorch brings {}", cupti.problem, python.cupti),
                "GPU activity of programs without PyTorch", kFix};
    return {"cupti", Condition::Broken, cupti.problem, "all GPU activity", kFix};
}

} // namespace

Diagnoses checkCupti(const CuptiProbe& cupti, const PythonProbe& python, const DriverProbe& driver) {
    if (!cupti.problem.empty())
        return {missing(cupti, python)};
    const std::string found = fmt::format("{}, {}", versionText(cupti.version), cupti.file);
    if (cupti.version < cupti_version::kCuda118)
        return {{"cupti", Condition::Broken, found, "all GPU activity",
                 "take the CUPTI of CUDA 11.8 or newer: --cupti FILE"}};
    const int driverMajor = driver.cudaVersion / 1000;
    if (driver.problem.empty() && cudaMajor(cupti.version) > driverMajor)
        return {
            {"cupti", Condition::Broken,
             fmt::format("{}, too new for a driver of CUDA {}", found, driverMajor), "all GPU activity",
             fmt::format("take the CUPTI of CUDA {}: --cupti FILE; or install a newer driver", driverMajor)}};
    if (cupti.version >= cupti_version::kUnknown)
        return {{"cupti", Condition::Limited, found + ", newer than tacho",
                 "what this version added to the records", "see whether there is a newer tacho"}};
    return {{"cupti", Condition::Ok, found, "", ""}};
}

} // namespace tacho
