// SPDX-License-Identifier: Apache-2.0
#include "collector/recorder/output_place.h"

#include "analyzer/model/error.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <sys/stat.h>

namespace tacho {

namespace {

namespace fs = std::filesystem;

fs::path numbered(const fs::path& file, int number) {
    if (number == 1)
        return file;
    return file.parent_path() /
           fmt::format("{}-{}{}", file.stem().string(), number, file.extension().string());
}

/// False: it exists.
bool makeDirectory(const fs::path& directory) {
    if (mkdir(directory.c_str(), 0777) == 0)
        return true;
    if (errno == EEXIST)
        return false;
    throw Error(fmt::format("{}: cannot make this folder for the recording: {}; choose another place with "
                            "--output",
                            directory.string(), std::strerror(errno)));
}

OutputPlace reserveGiven(const fs::path& file) {
    const OutputPlace place{file, spoolDirectoryOf(file)};
    if (fs::exists(file))
        throw Error(fmt::format("{}: exists already; remove it or choose another --output", file.string()));
    if (!makeDirectory(place.spoolDirectory))
        throw Error(
            fmt::format("{0}: left by a recorder that was killed, or in use by one: run `tacho recover {0}` "
                        "or remove it",
                        place.spoolDirectory.string()));
    return place;
}

} // namespace

std::string traceName(const std::vector<std::string>& command) {
    for (const std::string& argument : command)
        if (const fs::path path(argument); path.extension() == ".py" && !path.stem().empty())
            return path.stem().string();
    // `python -m package.train`: the module is what people call their run.
    const auto module = std::ranges::find(command, "-m");
    if (module != command.end() && module + 1 != command.end() && !(module + 1)->empty())
        return fs::path(*(module + 1)).filename().string();
    const std::string name = fs::path(command.front()).filename().string();
    return name.empty() ? "trace" : name;
}

fs::path spoolDirectoryOf(const fs::path& file) {
    return file.string() + ".spool";
}

fs::path freeFile(const fs::path& file) {
    int number = 1;
    while (fs::exists(numbered(file, number)))
        ++number;
    return numbered(file, number);
}

OutputPlace OutputPlace::reserve(const std::optional<fs::path>& output,
                                 const std::vector<std::string>& command) {
    if (output)
        return reserveGiven(fs::absolute(*output));
    const fs::path wanted = fs::current_path() / (traceName(command) + ".sqlite");
    for (int number = 1;; ++number) {
        const fs::path file = numbered(wanted, number);
        const OutputPlace place{file, spoolDirectoryOf(file)};
        if (fs::exists(file) || !makeDirectory(place.spoolDirectory))
            continue;
        if (!fs::exists(file)) // again: a recorder may have finished it in between
            return place;
        fs::remove(place.spoolDirectory);
    }
}

} // namespace tacho
