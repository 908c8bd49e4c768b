// SPDX-License-Identifier: Apache-2.0
// What the checks of `tacho doctor` look at; tests make up another one.
#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace tacho {

struct Machine {
    std::filesystem::path root = "/"; ///< below it are proc/, run/ ...
    std::map<std::string, std::string> environment;

    /// Its root and environment are those of this process.
    [[nodiscard]] static Machine thisOne();

    /// Value of a variable; empty: not set, or empty.
    [[nodiscard]] std::string variable(const std::string& name) const;
    /// The text of a file below the root; empty: none, or not to be read.
    [[nodiscard]] std::string text(const std::filesystem::path& file) const;
    [[nodiscard]] bool has(const std::filesystem::path& file) const;
};

/// The rest of the line of `text` that begins with `label` and a colon, without spaces around it; empty:
/// none.
[[nodiscard]] std::string fieldOf(const std::string& text, const std::string& label);

} // namespace tacho
