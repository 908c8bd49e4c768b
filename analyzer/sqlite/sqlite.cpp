// SPDX-License-Identifier: Apache-2.0
#include "analyzer/sqlite/sqlite.h"

#include <fmt/format.h>
#include <sqlite3.h>

namespace tacho {

namespace {

[[noreturn]] void fail(const std::string& path, sqlite3* db, int code) {
    const int primary = code & 0xff;
    if (primary == SQLITE_NOTADB)
        throw Error(fmt::format("{}: not an SQLite file", path));
    if (primary == SQLITE_CORRUPT)
        throw Error(
            fmt::format("{}: the SQLite file is damaged or was cut short; copy or export it again", path));
    if (primary == SQLITE_FULL)
        throw Error(fmt::format("{}: the disk is full", path));
    throw Error(fmt::format("{}: SQLite: {}", path, db ? sqlite3_errmsg(db) : sqlite3_errstr(code)));
}

} // namespace

void Database::Close::operator()(sqlite3* db) const {
    sqlite3_close_v2(db);
}

Database::Database(const std::string& path, Mode mode) : m_path(path) {
    const int flags =
        mode == Mode::ReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    sqlite3* db = nullptr;
    const int code = sqlite3_open_v2(path.c_str(), &db, flags | SQLITE_OPEN_NOMUTEX, nullptr);
    m_db.reset(db);
    if (code != SQLITE_OK)
        fail(m_path, db, code);
}

Database::~Database() = default;

void Database::execute(const std::string& sql) {
    const int code = sqlite3_exec(m_db.get(), sql.c_str(), nullptr, nullptr, nullptr);
    if (code != SQLITE_OK)
        fail(m_path, m_db.get(), code);
}

bool Database::hasTable(std::string_view name) const {
    Statement query(*this, "SELECT 1 FROM sqlite_master WHERE type IN ('table', 'view') AND name = ?");
    query.bind(0, name);
    return query.step();
}

bool Database::hasColumn(std::string_view table, std::string_view column) const {
    Statement query(*this, "SELECT 1 FROM pragma_table_info(?) WHERE name = ?");
    query.bind(0, table);
    query.bind(1, column);
    return query.step();
}

void Statement::Finalize::operator()(sqlite3_stmt* statement) const {
    sqlite3_finalize(statement);
}

Statement::Statement(const Database& db, std::string_view sql) : m_db(&db) {
    sqlite3_stmt* statement = nullptr;
    const int code =
        sqlite3_prepare_v2(db.m_db.get(), sql.data(), static_cast<int>(sql.size()), &statement, nullptr);
    m_statement.reset(statement);
    if (code != SQLITE_OK)
        fail(db.m_path, db.m_db.get(), code);
}

Statement::~Statement() = default;

void Statement::bind(int parameter, std::int64_t value) {
    sqlite3_bind_int64(m_statement.get(), parameter + 1, value);
}

void Statement::bind(int parameter, double value) {
    sqlite3_bind_double(m_statement.get(), parameter + 1, value);
}

void Statement::bind(int parameter, std::string_view text) {
    const char* const bytes = text.data() ? text.data() : ""; // SQLite takes a null pointer for NULL
    sqlite3_bind_text(m_statement.get(), parameter + 1, bytes, static_cast<int>(text.size()), SQLITE_STATIC);
}

void Statement::bindNull(int parameter) {
    sqlite3_bind_null(m_statement.get(), parameter + 1);
}

bool Statement::step() {
    const int code = sqlite3_step(m_statement.get());
    if (code == SQLITE_ROW)
        return true;
    sqlite3_reset(m_statement.get());
    if (code != SQLITE_DONE)
        fail(m_db->m_path, m_db->m_db.get(), code);
    return false;
}

void Statement::run() {
    while (step()) {
    }
}

bool Statement::isNull(int column) const {
    return sqlite3_column_type(m_statement.get(), column) == SQLITE_NULL;
}

std::int64_t Statement::integer(int column) const {
    return sqlite3_column_int64(m_statement.get(), column);
}

double Statement::real(int column) const {
    return sqlite3_column_double(m_statement.get(), column);
}

std::string_view Statement::text(int column) const {
    const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(m_statement.get(), column));
    return text ? std::string_view(text,
                                   static_cast<std::size_t>(sqlite3_column_bytes(m_statement.get(), column)))
                : std::string_view();
}

Transaction::Transaction(Database& db) : m_db(&db) {
    db.execute("BEGIN");
}

Transaction::~Transaction() {
    if (!m_db)
        return;
    try {
        m_db->execute("ROLLBACK");
    } catch (const Error&) { // the failure that made us roll back is already on its way to the user
    }
}

void Transaction::commit() {
    m_db->execute("COMMIT");
    m_db = nullptr;
}

} // namespace tacho
