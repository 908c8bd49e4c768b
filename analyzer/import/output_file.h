// SPDX-License-Identifier: Apache-2.0
// A file that is there as a whole or not at all.
#pragma once

#include <string>
#include <string_view>

struct gzFile_s;

namespace tacho {

/// Written under the name with ".partial", which is removed unless finish() was called. Compressed by gzip if
/// the name ends in ".gz". write() and finish() throw Error if the file cannot be written.
class OutputFile {
  public:
    explicit OutputFile(std::string path);
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;
    ~OutputFile();

    void write(std::string_view bytes);
    /// All is written: gives the file its name.
    void finish();

  private:
    [[noreturn]] void fail() const;

    std::string m_path, m_partial;
    gzFile_s* m_file = nullptr;
    bool m_finished = false;
};

} // namespace tacho
