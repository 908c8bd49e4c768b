// SPDX-License-Identifier: Apache-2.0
// SQLite with its handles owned and its errors thrown. No other file includes sqlite3.h.
#pragma once

#include "analyzer/model/error.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace tacho {

/// One connection, used by one thread at a time. Every failure throws Error naming the file.
class Database {
  public:
    enum class Mode { ReadOnly, Create }; ///< Create makes the file if there is none

    Database(const std::string& path, Mode mode);
    Database(Database&&) noexcept = default;
    Database& operator=(Database&&) noexcept = default;
    ~Database();

    /// Runs one or more statements that return no rows.
    void execute(const std::string& sql);
    [[nodiscard]] bool hasTable(std::string_view name) const;
    [[nodiscard]] bool hasColumn(std::string_view table, std::string_view column) const;
    [[nodiscard]] const std::string& path() const { return m_path; }

  private:
    friend class Statement;
    struct Close {
        void operator()(sqlite3* db) const;
    };
    std::string m_path;
    std::unique_ptr<sqlite3, Close> m_db;
};

/// A prepared statement. Borrows its Database, which must outlive it. Columns and parameters count from 0.
class Statement {
  public:
    Statement(const Database& db, std::string_view sql);
    Statement(Statement&&) noexcept = default;
    Statement& operator=(Statement&&) noexcept = default;
    ~Statement();

    void bind(int parameter, std::int64_t value);
    void bind(int parameter, double value);
    void bind(int parameter,
              std::string_view text); ///< the text is not copied: it must live until the next step()
    void bindNull(int parameter);
    /// Moves to the next row; false: there is none, and the statement is ready to be run again.
    [[nodiscard]] bool step();
    /// Runs a statement that returns no rows, and readies it for the next time.
    void run();

    [[nodiscard]] bool isNull(int column) const;
    [[nodiscard]] std::int64_t integer(int column) const; ///< 0 for NULL
    [[nodiscard]] double real(int column) const;
    [[nodiscard]] std::string_view text(int column) const; ///< "" for NULL; valid until the next step()

  private:
    struct Finalize {
        void operator()(sqlite3_stmt* statement) const;
    };
    const Database* m_db;
    std::unique_ptr<sqlite3_stmt, Finalize> m_statement;
};

/// Rolls back when destroyed, unless committed.
class Transaction {
  public:
    explicit Transaction(Database& db);
    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;
    ~Transaction();
    void commit();

  private:
    Database* m_db; ///< null once committed
};

} // namespace tacho
