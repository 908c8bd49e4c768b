// SPDX-License-Identifier: Apache-2.0
#include "analyzer/import/file_kind.h"

#include "analyzer/model/error.h"

#include <array>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <memory>
#include <string_view>
#include <zlib.h>

namespace tacho {

namespace {

struct Foreign {
    std::string_view magic;
    std::string_view sentence; ///< after the file's name
};
using namespace std::string_view_literals;
constexpr std::array<Foreign, 7> kForeign = {{
    {"version https://git-lfs"sv,
     "is a Git LFS pointer, not the file itself; fetch it with 'git lfs pull'"sv},
    {"TACHOSPL"sv, "is a spool file of a tacho recording; open the .sqlite file of that recording"sv},
    {"\x28\xb5\x2f\xfd"sv, "is compressed with zstd; decompress it first with 'zstd -d'"sv},
    {"PK\x03\x04"sv, "is a ZIP archive; unpack it and open the trace inside"sv},
    {"\xfd"
     "7zXZ"sv,
     "is compressed with xz; decompress it first with 'xz -d'"sv},
    {"BZh"sv, "is compressed with bzip2; decompress it first with 'bzip2 -d'"sv},
    {"<"sv,
     "is an HTML or XML page, not a trace; a download probably saved an error page, so download it again"sv},
}};
constexpr std::string_view kSqliteMagic{"SQLite format 3\0", 16};

bool startsWith(std::string_view text, std::string_view start) {
    return text.substr(0, start.size()) == start;
}

/// The first bytes, decompressed if they are gzip.
std::string beginningOf(const std::string& path) {
    const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(gzopen(path.c_str(), "rb"), &gzclose_r);
    if (!file)
        throw Error(fmt::format("{}: cannot be opened: {}", path, std::strerror(errno)));
    std::string beginning(4096, '\0');
    const int got = gzread(file.get(), beginning.data(), static_cast<unsigned>(beginning.size()));
    int code = Z_OK;
    const char* reason = gzerror(file.get(), &code);
    if (got == 0 ||
        (got < 0 && code == Z_BUF_ERROR)) // the file is not empty, so its first block is not all there
        throw Error(
            fmt::format("{}: the gzip data ends early, so the file was cut short; copy it again", path));
    if (got < 0)
        throw Error(fmt::format("{}: cannot be read ({}); copy or record it again", path, reason));
    beginning.resize(static_cast<std::size_t>(got));
    return beginning;
}

bool isNsysReport(const std::string& path) {
    const auto extension = std::filesystem::path(path).extension();
    return extension == ".nsys-rep" || extension == ".qdrep";
}

} // namespace

FileKind detectKind(const std::string& path) {
    std::error_code unknown;
    if (!std::filesystem::exists(path, unknown))
        throw Error(fmt::format("{}: there is no such file", path));
    if (std::filesystem::file_size(path, unknown) == 0)
        throw Error(fmt::format(
            "{}: is empty (0 bytes), so nothing was written to it; record or copy it again", path));
    if (isNsysReport(path))
        throw Error(fmt::format(
            "{}: is a report of Nsight Systems; export it first with 'nsys export --type sqlite {}'", path,
            path));
    const std::string beginning = beginningOf(path);
    if (startsWith(beginning, kSqliteMagic)) {
        std::array<char, 2> first{};
        std::ifstream(path, std::ios::binary).read(first.data(), first.size());
        if (first[0] == '\x1f')
            throw Error(fmt::format("{}: is a gzipped SQLite file; decompress it first with 'gunzip'", path));
        return FileKind::Sqlite;
    }
    std::string_view text = beginning;
    if (startsWith(text, "\xef\xbb\xbf"))
        text.remove_prefix(3);
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    if (startsWith(text, "{") || startsWith(text, "["))
        return FileKind::Json;
    for (const Foreign& foreign : kForeign)
        if (startsWith(text, foreign.magic))
            throw Error(fmt::format("{}: {}", path, foreign.sentence));
    throw Error(
        fmt::format("{}: is not a trace that tacho knows; give a file of 'tacho record', an SQLite export of "
                    "Nsight Systems, or a JSON trace of the PyTorch profiler",
                    path));
}

} // namespace tacho
