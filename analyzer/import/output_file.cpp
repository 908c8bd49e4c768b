// SPDX-License-Identifier: Apache-2.0
#include "analyzer/import/output_file.h"

#include "analyzer/model/error.h"

#include <cerrno>
#include <filesystem>
#include <fmt/format.h>
#include <system_error>
#include <zlib.h>

namespace tacho {

namespace {

constexpr unsigned kBufferBytes = 1U << 20;
constexpr std::size_t kMaxWriteBytes = std::size_t{1} << 30; // zlib counts in unsigned

} // namespace

OutputFile::OutputFile(std::string path) : m_path(std::move(path)), m_partial(m_path + ".partial") {
    errno = 0;
    m_file = gzopen(m_partial.c_str(), m_path.ends_with(".gz") ? "wb" : "wbT"); // T: as it is
    if (m_file == nullptr)
        fail();
    gzbuffer(m_file, kBufferBytes);
}

OutputFile::~OutputFile() {
    if (m_file != nullptr)
        gzclose(m_file);
    std::error_code ignored;
    if (!m_finished)
        std::filesystem::remove(m_partial, ignored);
}

void OutputFile::write(std::string_view bytes) {
    errno = 0;
    while (!bytes.empty()) {
        const std::string_view part = bytes.substr(0, kMaxWriteBytes);
        if (gzwrite(m_file, part.data(), static_cast<unsigned>(part.size())) <= 0)
            fail();
        bytes.remove_prefix(part.size());
    }
}

void OutputFile::finish() {
    errno = 0;
    const int result = gzclose(m_file);
    m_file = nullptr;
    if (result != Z_OK)
        fail();
    std::error_code error;
    std::filesystem::rename(m_partial, m_path, error);
    if (error)
        throw Error(fmt::format("{}: cannot be written: {}", m_path, error.message()));
    m_finished = true;
}

void OutputFile::fail() const {
    const std::string reason = errno == 0 ? "out of memory" : std::generic_category().message(errno);
    throw Error(fmt::format("{}: cannot be written: {}", m_path, reason));
}

} // namespace tacho
