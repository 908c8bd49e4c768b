// SPDX-License-Identifier: Apache-2.0
#include "collector/doctor/checks.h"

#include "collector/inject/spool_format.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace tacho {

OutputRoom OutputRoom::of(const std::filesystem::path& folder) {
    OutputRoom room{folder, {}, 0};
    std::string probe = (folder / "tacho-doctor-XXXXXX").string();
    const int fd = mkstemp(probe.data());
    if (fd < 0) {
        room.problem = std::strerror(errno);
        return room;
    }
    close(fd);
    unlink(probe.c_str());
    std::error_code ignored;
    room.freeBytes = std::filesystem::space(folder, ignored).available;
    return room;
}

Diagnoses checkOutput(const OutputRoom& room) {
    constexpr double kGiga = 1e9;
    // A full capture of one process as spool, and again as SQLite.
    constexpr std::uint64_t kWanted = 2 * spool::kMostBytes;
    const std::string folder = room.folder.string();
    if (!room.problem.empty())
        return {{"output", Condition::Broken, fmt::format("{} cannot be written: {}", folder, room.problem),
                 "the trace file", "choose another place: -o FILE"}};
    const std::string found =
        fmt::format("{} has {:.1f} GB free", folder, static_cast<double>(room.freeBytes) / kGiga);
    if (room.freeBytes < kWanted)
        return {{"output", Condition::Limited, found, "the end of a capture that does not fit",
                 fmt::format(
                     "make room ({} GB are enough for the largest capture of one process), choose another "
                     "place with -o FILE, or set --max-size",
                     kWanted / 1'000'000'000)}};
    return {{"output", Condition::Ok, found, "", ""}};
}

} // namespace tacho
