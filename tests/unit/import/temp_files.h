// SPDX-License-Identifier: Apache-2.0
// Files that a test makes, gone when it ends.
#pragma once

#include "analyzer/model/error.h"
#include "analyzer/model/trace.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <zlib.h>

namespace tacho {

class TempFiles : public testing::Test {
  protected:
    TempFiles() {
        const auto* test = testing::UnitTest::GetInstance()->current_test_info();
        m_folder = std::filesystem::temp_directory_path() /
                   (std::string("tacho_") + test->test_suite_name() + "_" + test->name());
        std::filesystem::remove_all(m_folder);
        std::filesystem::create_directories(m_folder);
    }
    ~TempFiles() override { std::filesystem::remove_all(m_folder); }

    [[nodiscard]] std::string path(const std::string& name) const { return (m_folder / name).string(); }
    [[nodiscard]] std::string folder() const { return m_folder.string(); }

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
    std::filesystem::path m_folder;
};

/// Count of the note with this code; 0 if there is none.
inline std::int64_t healthCount(const Trace& trace, const std::string& code) {
    const auto note = std::find_if(trace.health.begin(), trace.health.end(),
                                   [&](const HealthNote& each) { return each.code == code; });
    return note == trace.health.end() ? 0 : note->count;
}

} // namespace tacho
