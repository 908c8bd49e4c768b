// SPDX-License-Identifier: Apache-2.0
// Files that a test makes, gone when it ends.
#pragma once

#include "analyzer/model/error.h"
#include "analyzer/model/trace.h"
#include "tests/unit/temporary_folder.h"

#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <zlib.h>

namespace tacho {

class TempFiles : public testing::Test {
  protected:
    [[nodiscard]] std::string path(const std::string& name) const { return (m_folder / name).string(); }
    [[nodiscard]] std::string folder() const { return m_folder.path().string(); }

    std::string write(const std::string& name, std::string_view content) const {
        std::ofstream(path(name), std::ios::binary) << content;
        return path(name);
    }
    std::string writeGzipped(const std::string& name, const std::string& content) const {
        const gzFile file = gzopen(path(name).c_str(), "wb");
        gzwrite(file, content.data(), static_cast<unsigned>(content.size()));
        gzclose(file);
        return path(name);
    }
    static std::string contentOf(const std::string& path) {
        std::ifstream file(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }

  private:
    test::TemporaryFolder m_folder;
};

/// Count of the note with this code; 0 if there is none.
inline std::int64_t healthCount(const Trace& trace, const std::string& code) {
    const auto note = std::find_if(trace.health.begin(), trace.health.end(),
                                   [&](const HealthNote& each) { return each.code == code; });
    return note == trace.health.end() ? 0 : note->count;
}

} // namespace tacho
