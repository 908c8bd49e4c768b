// SPDX-License-Identifier: Apache-2.0
// Rows of a table of which it is not known which columns it has.
#pragma once

#include "analyzer/sqlite/sqlite.h"

#include <initializer_list>
#include <optional>
#include <string>

namespace tacho {

/// The name that the table has in this file: `base` itself, or its newest version ("NVTX_EVENTS_V3"). Nothing
/// if the file has no such table, which is not an error: exporters leave out tables without rows.
[[nodiscard]] std::optional<std::string> findTable(const Database& db, const std::string& base);

/// Reads the named columns, in any order they have in the file; one that the table lacks is NULL in every
/// row. A missing table has no rows. Borrows the database.
class SqliteRows {
  public:
    SqliteRows(const Database& db, const std::string& table, std::initializer_list<const char*> columns);

    [[nodiscard]] bool next() { return m_statement && m_statement->step(); }
    /// Columns count from 0 in the order given to the constructor.
    [[nodiscard]] bool isNull(int column) const { return m_statement->isNull(column); }
    [[nodiscard]] std::int64_t integer(int column, std::int64_t ifNull = 0) const {
        return isNull(column) ? ifNull : m_statement->integer(column);
    }
    [[nodiscard]] double real(int column) const { return m_statement->real(column); } ///< NULL: 0
    [[nodiscard]] std::string_view text(int column) const { return m_statement->text(column); }

  private:
    std::optional<Statement> m_statement;
};

} // namespace tacho
