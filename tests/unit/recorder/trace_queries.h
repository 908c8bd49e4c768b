// SPDX-License-Identifier: Apache-2.0
// Rows of a trace file as text, for comparisons in tests.
#pragma once

#include "analyzer/sqlite/sqlite.h"

#include <filesystem>
#include <string>
#include <vector>

namespace tacho::test {

/// All rows of a query of one column, in their order; NULL as "NULL".
inline std::vector<std::string> rows(const std::filesystem::path& file, const std::string& sql) {
    const Database db(file.string(), Database::Mode::ReadOnly);
    Statement query(db, sql);
    std::vector<std::string> all;
    while (query.step())
        all.emplace_back(query.isNull(0) ? "NULL" : query.text(0));
    return all;
}

/// The only row of a query of one column.
inline std::string value(const std::filesystem::path& file, const std::string& sql) {
    const std::vector<std::string> all = rows(file, sql);
    return all.size() == 1 ? all.front() : "(" + std::to_string(all.size()) + " rows)";
}

} // namespace tacho::test
