// SPDX-License-Identifier: Apache-2.0
// A prepared INSERT that takes one row as the arguments of one call.
#pragma once

#include "analyzer/sqlite/sqlite.h"

#include <cassert>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace tacho {

/// Columns that are not named get NULL. Borrows the Database.
class Insert {
  public:
    Insert(const Database& db, std::string_view table, std::initializer_list<std::string_view> columns)
        : m_columns(columns.size()), m_statement(db, sql(table, columns)) {}

    /// One value a column, in their order: an integer, a double, a text, or an optional of these (NULL).
    template <class... Values>
    void row(const Values&... values) {
        assert(sizeof...(values) == m_columns);
        int parameter = 0;
        (bind(parameter++, values), ...);
        m_statement.run();
    }

  private:
    static std::string sql(std::string_view table, std::initializer_list<std::string_view> columns) {
        std::string names, marks;
        for (const std::string_view column : columns) {
            names.append(names.empty() ? "" : ",").append(column);
            marks.append(marks.empty() ? "?" : ",?");
        }
        return std::string("INSERT INTO ").append(table) + "(" + names + ") VALUES (" + marks + ")";
    }

    void bind(int parameter, std::integral auto value) {
        m_statement.bind(parameter, static_cast<std::int64_t>(value));
    }
    void bind(int parameter, double value) { m_statement.bind(parameter, value); }
    void bind(int parameter, std::string_view text) { m_statement.bind(parameter, text); }
    template <class T>
    void bind(int parameter, const std::optional<T>& value) {
        value ? bind(parameter, *value) : m_statement.bindNull(parameter);
    }

    std::size_t m_columns;
    Statement m_statement;
};

/// For columns where 0 stands for "none".
template <std::integral T>
std::optional<T> nullIfZero(T value) {
    return value == 0 ? std::nullopt : std::optional<T>(value);
}

} // namespace tacho
