// SPDX-License-Identifier: Apache-2.0
// What is known of a recording as a whole; kept in the spool directory for the case that the recorder dies.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace tacho {

/// Becomes TACHO_META and TARGET_INFO_SESSION_START_TIME.
struct CaptureSession {
    std::string commandLine; ///< secrets hidden
    std::string window;      ///< value of TACHO_WINDOW
    std::string hostname;
    std::int64_t startUtcNs = 0;
    std::int64_t startNs = 0; ///< CLOCK_MONOTONIC at startUtcNs
    std::optional<std::int64_t> endUtcNs;
    std::optional<int> exitStatus;

    /// A session of this machine that starts now.
    [[nodiscard]] static CaptureSession startingNow();
    /// Throws Error if the file cannot be written.
    void save(const std::filesystem::path& spoolDirectory) const;
    /// Throws Error if `spoolDirectory` has no session file: it is not a spool directory.
    [[nodiscard]] static CaptureSession load(const std::filesystem::path& spoolDirectory);
    [[nodiscard]] static std::filesystem::path fileIn(const std::filesystem::path& spoolDirectory);
};

[[nodiscard]] std::int64_t utcNowNs();

} // namespace tacho
