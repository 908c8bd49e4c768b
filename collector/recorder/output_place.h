// SPDX-License-Identifier: Apache-2.0
// The name of a trace file and the spool directory beside it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tacho {

struct OutputPlace {
    std::filesystem::path file;           ///< absolute; does not exist
    std::filesystem::path spoolDirectory; ///< "<file>.spool"

    /// Creates the spool directory, which reserves the name against other recorders. Throws Error if the
    /// folder cannot be written, or `output` is given and exists or has a spool directory.
    [[nodiscard]] static OutputPlace reserve(const std::optional<std::filesystem::path>& output,
                                             const std::vector<std::string>& command);
};

/// The name a trace of this command gets: of the script where an interpreter runs one, else of the program.
[[nodiscard]] std::string traceName(const std::vector<std::string>& command);

/// `file`, or file-2, file-3 ... : the first that does not exist.
[[nodiscard]] std::filesystem::path freeFile(const std::filesystem::path& file);

/// "<file>.spool"
[[nodiscard]] std::filesystem::path spoolDirectoryOf(const std::filesystem::path& file);

} // namespace tacho
