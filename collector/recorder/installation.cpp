// SPDX-License-Identifier: Apache-2.0
#include "collector/recorder/installation.h"

#include "analyzer/model/error.h"

#include <fmt/format.h>

namespace tacho {

Installation Installation::find(const std::optional<std::filesystem::path>& root) {
    namespace fs = std::filesystem;
    const fs::path base =
        root ? fs::absolute(*root) : fs::read_symlink("/proc/self/exe").parent_path().parent_path();
    const fs::path library = base / "lib" / "libtacho_inject.so";
    const fs::path hook = base / "share" / "tacho" / "python";
    if (!fs::exists(library))
        throw Error(
            fmt::format("{}: the library that records is missing: install tacho again, or build it on a "
                        "machine with the CUDA toolkit",
                        library.string()));
    return {library, fs::is_directory(hook) ? hook : fs::path()};
}

} // namespace tacho
