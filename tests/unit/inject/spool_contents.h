// SPDX-License-Identifier: Apache-2.0
// Reads a whole spool file back, for tests of what writes one.
#pragma once

#include "collector/inject/spool_format.h"
#include "tests/unit/temporary_folder.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

namespace tacho {

/// Where a test's library writes its spool files.
class SpoolDirectory {
  public:
    [[nodiscard]] const char* path() const { return m_folder.path().c_str(); }
    [[nodiscard]] std::string onlyFile() const {
        for (const auto& entry : std::filesystem::directory_iterator(m_folder.path()))
            if (entry.path().extension() == ".spool")
                return entry.path().string();
        return {};
    }

  private:
    test::TemporaryFolder m_folder;
};

/// All records of one spool file, in order.
struct SpoolContents {
    std::vector<std::string> records; ///< bytes, header included
    std::map<std::uint32_t, std::string> strings;

    explicit SpoolContents(const std::string& file) {
        std::ifstream in(file, std::ios::binary);
        const std::string bytes(std::istreambuf_iterator<char>(in), {});
        spool::RecordHeader header{};
        for (std::size_t at = sizeof(spool::FileHeader); at + sizeof header <= bytes.size();
             at += header.bytes) {
            std::memcpy(&header, bytes.data() + at, sizeof header);
            if (header.bytes == 0 || at + header.bytes > bytes.size())
                break;
            records.push_back(bytes.substr(at, header.bytes));
            if (header.type == static_cast<std::uint16_t>(spool::RecordType::String)) {
                const auto text = as<spool::StringRecord>(records.back());
                strings[text.id] = records.back().substr(sizeof text, text.textBytes);
            }
        }
    }

    template <typename Record>
    static Record as(const std::string& bytes) {
        Record record{};
        std::memcpy(&record, bytes.data(), sizeof record);
        return record;
    }

    template <typename Record>
    [[nodiscard]] std::vector<Record> all(spool::RecordType type) const {
        std::vector<Record> found;
        for (const std::string& bytes : records)
            if (as<spool::RecordHeader>(bytes).type == static_cast<std::uint16_t>(type))
                found.push_back(as<Record>(bytes));
        return found;
    }
};

} // namespace tacho
