// SPDX-License-Identifier: Apache-2.0
#include "analyzer/import/sqlite_rows.h"

#include <fmt/format.h>

namespace tacho {

std::optional<std::string> findTable(const Database& db, const std::string& base) {
    if (db.hasTable(base))
        return base;
    constexpr int kNewestTried = 9;
    for (int version = kNewestTried; version > 1; --version) {
        const std::string name = fmt::format("{}_V{}", base, version);
        if (db.hasTable(name))
            return name;
    }
    return std::nullopt;
}

SqliteRows::SqliteRows(const Database& db, const std::string& table,
                       std::initializer_list<const char*> columns) {
    const std::optional<std::string> name = findTable(db, table);
    if (!name)
        return;
    std::string list;
    for (const char* column : columns) {
        const char* missing = db.hasColumn(*name, column) ? "" : "NULL AS ";
        list += fmt::format("{}{}\"{}\"", list.empty() ? "" : ", ", missing, column);
    }
    m_statement.emplace(db, fmt::format("SELECT {} FROM \"{}\"", list, *name));
}

} // namespace tacho
