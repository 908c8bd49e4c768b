// SPDX-License-Identifier: Apache-2.0
// Finds out whether recording works here, and what would be missing: `tacho doctor`.
#pragma once

#include "collector/doctor/diagnosis.h"

#include <filesystem>
#include <optional>
#include <string>

namespace tacho {

struct DoctorOptions {
    std::string python = "python3";
    std::filesystem::path outputFolder; ///< where the trace would be written
    std::string cupti;                  ///< CUPTI library to take; empty: it is searched
    /// As RecordOptions::installation.
    std::optional<std::filesystem::path> installation = std::nullopt;
};

/// Looks at this machine. Loads the driver and CUPTI into this process and starts Python; changes nothing.
[[nodiscard]] Diagnoses examine(const DoctorOptions& options);

} // namespace tacho
