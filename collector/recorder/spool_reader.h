// SPDX-License-Identifier: Apache-2.0
// Reads one spool file while its process is still appending to it.
#pragma once

#include "collector/inject/spool_format.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

namespace tacho {

/// One complete record, header included; valid until the next call of SpoolReader::next().
class SpoolRecord {
  public:
    explicit SpoolRecord(std::string_view bytes) : m_bytes(bytes) {
        std::memcpy(&m_header, bytes.data(), sizeof m_header);
    }
    [[nodiscard]] spool::RecordType type() const { return static_cast<spool::RecordType>(m_header.type); }
    /// The fixed part; absent: the record is too short to be an R. A newer writer's longer record is an R
    /// too.
    template <class R>
    [[nodiscard]] std::optional<R> as() const {
        if (m_bytes.size() < sizeof(R))
            return std::nullopt;
        R record;
        std::memcpy(&record, m_bytes.data(), sizeof(R));
        return record;
    }
    /// `count` bytes that follow the fixed part R and `skipped` bytes; absent: the record is shorter.
    template <class R>
    [[nodiscard]] std::optional<std::string_view> text(std::size_t count, std::size_t skipped = 0) const {
        if (m_bytes.size() < sizeof(R) + skipped + count)
            return std::nullopt;
        return m_bytes.substr(sizeof(R) + skipped, count);
    }

  private:
    std::string_view m_bytes;
    spool::RecordHeader m_header{};
};

/// Never throws on what a file contains, and never waits: a file that is not complete yet is read on later.
/// Used by one thread.
class SpoolReader {
  public:
    enum class State {
        Starting, ///< the file's header is not complete yet
        Reading,
        Foreign, ///< not a spool file; nothing is read from it
        Newer,   ///< of a newer version of the format; nothing is read from it
        Damaged, ///< a record that cannot be one; nothing is read from there on
    };

    /// Throws Error if the file cannot be opened.
    explicit SpoolReader(const std::filesystem::path& path);
    SpoolReader(SpoolReader&& other) noexcept;
    SpoolReader& operator=(SpoolReader&&) = delete;
    ~SpoolReader();

    /// The next complete record; absent: there is none now. Throws Error if the file cannot be read.
    [[nodiscard]] std::optional<SpoolRecord> next();
    [[nodiscard]] State state() const { return m_state; }
    /// REQUIRES state() Reading or Damaged.
    [[nodiscard]] const spool::FileHeader& header() const { return m_header; }
    /// Position in the file of the first byte not handed out.
    [[nodiscard]] std::uint64_t offset() const { return m_offset; }
    /// Bytes in the file now that were not handed out.
    [[nodiscard]] std::uint64_t bytesLeft() const;

  private:
    [[nodiscard]] bool fill();
    [[nodiscard]] bool readHeader();
    [[nodiscard]] std::size_t available() const { return m_end - m_begin; }
    void consume(std::size_t bytes);

    std::filesystem::path m_path;
    int m_file = -1;
    State m_state = State::Starting;
    spool::FileHeader m_header{};
    std::vector<char> m_buffer;
    std::size_t m_begin = 0, m_end = 0; ///< the part of m_buffer not handed out
    std::uint64_t m_offset = 0;         ///< of m_begin in the file
};

} // namespace tacho
