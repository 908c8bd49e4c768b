// SPDX-License-Identifier: Apache-2.0
// A JSON text read from a file piece by piece, one value at a time.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct gzFile_s;

namespace tacho {

/// Walks over a JSON text, gzipped or plain, in memory bounded by its largest single value. It finds where
/// values end by counting braces outside of strings and leaves their inside to others, so that one broken
/// value does not hide those after it. A line end ends a string too: JSON has none in strings, and a stray
/// quote in one value then does not swallow the next ones.
///
/// Throws Error if the file cannot be read, ends early, or its structure is not that of JSON.
class JsonStream {
  public:
    /// Readable bytes behind every value(), as simdjson wants them.
    static constexpr std::size_t kPadding = 64;

    explicit JsonStream(std::string path);

    /// The next character that is not white space, without taking it; 0 at the end of the text.
    [[nodiscard]] char peek();
    /// Takes the next character that is not white space, if it is `c`.
    [[nodiscard]] bool consume(char c);
    void expect(char c);
    /// Takes the next value. The view is valid until the next call.
    [[nodiscard]] std::string_view value();
    void skipValue();
    /// Takes `"key":`.
    [[nodiscard]] std::string key();

    /// Of the file, 0 to 1.
    [[nodiscard]] double partRead() const;
    [[nodiscard]] const std::string& path() const { return m_path; }
    /// The Error that was thrown is that the text, or the gzip data, ends early.
    [[nodiscard]] bool isCutShort() const { return m_isCutShort; }

  private:
    struct Close {
        void operator()(gzFile_s* file) const;
    };
    [[nodiscard]] bool fill();
    [[noreturn]] void failCutShort(const char* what);
    std::string_view scanValue(bool keep);

    std::string m_path;
    std::unique_ptr<gzFile_s, Close> m_file;
    bool m_isCutShort = false;
    double m_fileBytes = 0;
    std::vector<char> m_buffer;
    std::size_t m_begin = 0, m_end = 0; ///< what is read and not yet taken
};

} // namespace tacho
