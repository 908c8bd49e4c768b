// SPDX-License-Identifier: Apache-2.0
// Where the parts of tacho that go into other processes are.
#pragma once

#include <filesystem>
#include <optional>

namespace tacho {

struct Installation {
    std::filesystem::path library; ///< libtacho_inject.so
    std::filesystem::path hook;    ///< folder for PYTHONPATH; empty: not installed

    /// `root` absent: the parent of the folder of this program. Throws Error if the library is not there.
    [[nodiscard]] static Installation find(const std::optional<std::filesystem::path>& root);
};

} // namespace tacho
