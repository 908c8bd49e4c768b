// SPDX-License-Identifier: Apache-2.0
#include "analyzer/import/json_stream.h"

#include "analyzer/model/error.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <zlib.h>

namespace tacho {

namespace {

constexpr const char* kTextEnds = "the JSON text ends in the middle";
constexpr std::size_t kFirstBufferBytes = std::size_t{1} << 20;
/// No value that tacho reads is near this; one that is shows that the braces of the file do not match.
constexpr std::size_t kMaxValueBytes = std::size_t{256} << 20;

bool isSpace(char c) {
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/// Finds the end of one JSON value whose bytes come in pieces.
class ValueEnd {
  public:
    [[nodiscard]] bool found() const { return m_found; }

    /// Scans from `at`; returns how far it came: the end of the value if found(), else `size`.
    std::size_t scan(const char* text, std::size_t at, std::size_t size) {
        while (at < size && !m_found) {
            if (m_inString)
                at = scanString(text, at, size);
            else
                at = scanOutside(text, at);
        }
        return at;
    }

  private:
    std::size_t scanString(const char* text, std::size_t at, std::size_t size) {
        for (; at < size; ++at) {
            const char c = text[at];
            if (m_isEscaped)
                m_isEscaped = false;
            else if (c == '\\')
                m_isEscaped = true;
            else if (c == '"' || c == '\n') {
                m_inString = false;
                m_found = m_depth == 0;
                return at + 1;
            }
        }
        return at;
    }

    std::size_t scanOutside(const char* text, std::size_t at) {
        const char c = text[at];
        if (c == '{' || c == '[') {
            ++m_depth;
        } else if (c == '}' || c == ']') {
            if (m_depth == 0) { // the end of what a bare number or word is in
                m_found = true;
                return at;
            }
            m_found = --m_depth == 0;
        } else if (c == '"') {
            m_inString = true;
        } else if (m_depth == 0 && (c == ',' || isSpace(c))) {
            m_found = true;
            return at;
        }
        return at + 1;
    }

    int m_depth = 0;
    bool m_inString = false;
    bool m_isEscaped = false;
    bool m_found = false;
};

} // namespace

void JsonStream::Close::operator()(gzFile_s* file) const {
    gzclose_r(file);
}

JsonStream::JsonStream(std::string path)
    : m_path(std::move(path)), m_file(gzopen(m_path.c_str(), "rb")), m_buffer(kFirstBufferBytes + kPadding) {
    if (!m_file)
        throw Error(fmt::format("{}: cannot be opened: {}", m_path, std::strerror(errno)));
    gzbuffer(m_file.get(), 1U << 18);
    m_fileBytes = static_cast<double>(std::max<std::uintmax_t>(1, std::filesystem::file_size(m_path)));
}

void JsonStream::failCutShort(const char* what) {
    m_isCutShort = true;
    throw Error(fmt::format("{}: {}, so the file was cut short; copy it again, or record again and let the "
                            "profiler finish writing",
                            m_path, what));
}

bool JsonStream::fill() {
    if (m_begin > 0) {
        std::memmove(m_buffer.data(), m_buffer.data() + m_begin, m_end - m_begin);
        m_end -= m_begin;
        m_begin = 0;
    }
    if (m_end + kPadding == m_buffer.size()) {
        if (m_buffer.size() > kMaxValueBytes)
            throw Error(
                fmt::format("{}: one value of the JSON text is longer than {} MiB, so its braces or quotes "
                            "do not match; record the trace again",
                            m_path, kMaxValueBytes >> 20));
        m_buffer.resize(2 * m_buffer.size());
    }
    const auto room = static_cast<unsigned>(m_buffer.size() - kPadding - m_end);
    const int got = gzread(m_file.get(), m_buffer.data() + m_end, room);
    int code = Z_OK;
    const char* reason = gzerror(m_file.get(), &code);
    if (code == Z_BUF_ERROR && got <= 0) // what could be decompressed has been handed out
        failCutShort("the gzip data ends early");
    if (got < 0)
        throw Error(fmt::format("{}: cannot be decompressed ({}); copy or record it again", m_path, reason));
    m_end += static_cast<std::size_t>(got);
    return got > 0;
}

char JsonStream::peek() {
    for (;;) {
        while (m_begin < m_end && isSpace(m_buffer[m_begin]))
            ++m_begin;
        if (m_begin < m_end)
            return m_buffer[m_begin];
        if (!fill())
            return 0;
    }
}

bool JsonStream::consume(char c) {
    if (peek() != c)
        return false;
    ++m_begin;
    return true;
}

void JsonStream::expect(char c) {
    if (consume(c))
        return;
    if (peek() == 0)
        failCutShort(kTextEnds);
    throw Error(fmt::format("{}: not valid JSON: '{}' stands where '{}' should; record the trace again",
                            m_path, peek(), c));
}

std::string_view JsonStream::scanValue(bool keep) {
    if (peek() == 0)
        failCutShort(kTextEnds);
    ValueEnd end;
    std::size_t at = 0;
    for (;;) {
        at = end.scan(m_buffer.data() + m_begin, at, m_end - m_begin);
        if (end.found())
            break;
        if (!keep) {
            m_begin = m_end;
            at = 0;
        }
        if (!fill())
            failCutShort(kTextEnds);
    }
    const std::string_view value(m_buffer.data() + m_begin, at);
    m_begin += at;
    return value;
}

std::string_view JsonStream::value() {
    return scanValue(true);
}

void JsonStream::skipValue() {
    scanValue(false);
}

std::string JsonStream::key() {
    if (peek() != '"')
        expect('"');
    std::string key(value());
    expect(':');
    return key.substr(1, key.size() - 2);
}

double JsonStream::partRead() const {
    return std::min(1.0, static_cast<double>(gzoffset(m_file.get())) / m_fileBytes);
}

} // namespace tacho
