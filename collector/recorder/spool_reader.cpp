// SPDX-License-Identifier: Apache-2.0
#include "collector/recorder/spool_reader.h"

#include "analyzer/model/error.h"

#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace tacho {

namespace {

// Many times the longest record (64 KiB), so that moving the tail to the front is rare.
constexpr std::size_t kBufferBytes = 1 << 20;

} // namespace

SpoolReader::SpoolReader(const std::filesystem::path& path)
    : m_path(path), m_file(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (m_file < 0)
        throw Error(fmt::format("{}: cannot read the spool file: {}", path.string(), std::strerror(errno)));
}

SpoolReader::SpoolReader(SpoolReader&& other) noexcept
    : m_path(std::move(other.m_path)), m_file(std::exchange(other.m_file, -1)), m_state(other.m_state),
      m_header(other.m_header), m_buffer(std::move(other.m_buffer)), m_begin(other.m_begin),
      m_end(other.m_end), m_offset(other.m_offset) {}

SpoolReader::~SpoolReader() {
    if (m_file >= 0)
        close(m_file);
}

std::uint64_t SpoolReader::bytesLeft() const {
    struct stat status {};
    const bool known = fstat(m_file, &status) == 0;
    const auto size = known ? static_cast<std::uint64_t>(status.st_size) : m_offset;
    return size > m_offset ? size - m_offset : 0;
}

void SpoolReader::consume(std::size_t bytes) {
    m_begin += bytes;
    m_offset += bytes;
}

// Appends what the file has to the buffer. False: nothing new.
bool SpoolReader::fill() {
    m_buffer.resize(kBufferBytes);
    std::memmove(m_buffer.data(), m_buffer.data() + m_begin, available());
    m_end -= m_begin;
    m_begin = 0;
    const ssize_t count = read(m_file, m_buffer.data() + m_end, m_buffer.size() - m_end);
    if (count < 0 && errno != EINTR)
        throw Error(fmt::format("{}: cannot read the spool file: {}", m_path.string(), std::strerror(errno)));
    m_end += count > 0 ? static_cast<std::size_t>(count) : 0;
    return count > 0;
}

bool SpoolReader::readHeader() {
    while (available() < sizeof m_header)
        if (!fill())
            return false;
    std::memcpy(&m_header, m_buffer.data() + m_begin, sizeof m_header);
    const bool plausible = m_header.headerBytes >= sizeof m_header &&
                           m_header.headerBytes <= kBufferBytes / 2 &&
                           m_header.headerBytes % spool::kAlignment == 0;
    if (std::memcmp(m_header.magic, spool::kMagic, sizeof spool::kMagic) != 0)
        m_state = State::Foreign;
    else if (m_header.version > spool::kVersion)
        m_state = State::Newer;
    else if (m_header.version == 0 || !plausible)
        m_state = State::Foreign;
    if (m_state != State::Starting)
        return false;
    while (available() < m_header.headerBytes)
        if (!fill())
            return false;
    consume(m_header.headerBytes);
    m_state = State::Reading;
    return true;
}

std::optional<SpoolRecord> SpoolReader::next() {
    if (m_state == State::Starting && !readHeader())
        return std::nullopt;
    if (m_state != State::Reading)
        return std::nullopt;
    spool::RecordHeader header{};
    while (available() < sizeof header)
        if (!fill())
            return std::nullopt;
    std::memcpy(&header, m_buffer.data() + m_begin, sizeof header);
    if (header.type == 0 || header.bytes < spool::kAlignment || header.bytes % spool::kAlignment != 0) {
        m_state = State::Damaged;
        return std::nullopt;
    }
    while (available() < header.bytes)
        if (!fill())
            return std::nullopt;
    const SpoolRecord record({m_buffer.data() + m_begin, header.bytes});
    consume(header.bytes);
    return record;
}

} // namespace tacho
