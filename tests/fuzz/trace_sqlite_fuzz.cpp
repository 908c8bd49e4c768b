// SPDX-License-Identifier: Apache-2.0
// Any content of the tables of an SQLite trace. The first byte chooses tacho's own kind or Nsight Systems';
// then come rows: the number of a table and a tag and a value for each of its columns. SQLite itself is not
// tested.
#include "analyzer/sqlite/schema.h"
#include "analyzer/sqlite/sqlite.h"
#include "tests/fuzz/read_trace.h"

#include <cstring>
#include <fmt/format.h>
#include <regex>
#include <string_view>
#include <vector>

namespace tacho::fuzz {
namespace {

namespace fs = std::filesystem;

/// Hands out the input piece by piece; of an empty one zeros.
class Input {
  public:
    explicit Input(std::string_view bytes) : m_left(bytes) {}
    [[nodiscard]] bool empty() const { return m_left.empty(); }
    template <class Number>
    Number number() {
        Number value = 0;
        const std::string_view bytes = text(sizeof value);
        std::memcpy(&value, bytes.data(), bytes.size());
        return value;
    }
    std::string_view text(std::size_t bytes) {
        const std::string_view taken = m_left.substr(0, bytes);
        m_left.remove_prefix(taken.size());
        return taken;
    }

  private:
    std::string_view m_left;
};

struct TableShape {
    std::string name;
    int columns = 0;
};

std::vector<std::string> enumTables(const Database& db) {
    std::vector<std::string> tables;
    Statement names(db, "SELECT name FROM sqlite_master WHERE name LIKE 'ENUM_%'");
    while (names.step())
        tables.emplace_back(names.text(0));
    return tables;
}

/// A file with all tables and a few texts, without the constraints that no foreign file has to keep.
class Template {
  public:
    explicit Template(bool isNsys) : m_path(workFolder() / (isNsys ? "nsys.sqlite" : "tacho.sqlite")) {
        fs::remove(m_path);
        Database db(m_path.string(), Database::Mode::Create);
        db.execute(std::regex_replace(std::string(embedded::schemaSql),
                                      std::regex(",\\s*PRIMARY KEY \\([^)]*\\)|NOT NULL|PRIMARY KEY"), " "));
        if (isNsys)
            db.execute("DROP TABLE TACHO_META");
        int id = 0;
        for (const char* const text : {"cudaLaunchKernel_v7000", "cudaMemcpyAsync", "cudaStreamSynchronize",
                                       "gemm", "ncclAllReduce", "NCCL", "tacho", "pt_gloo_runloop"})
            db.execute(fmt::format("INSERT INTO StringIds VALUES({}, '{}')", id++, text));
        for (const std::string& name : enumTables(db)) // nobody reads them
            db.execute("DROP TABLE " + name);
        db.execute("VACUUM");
        Statement names(db, "SELECT m.name, count(*) FROM sqlite_master m JOIN pragma_table_info(m.name) "
                            "GROUP BY 1 ORDER BY 1");
        while (names.step())
            m_tables.push_back({std::string(names.text(0)), static_cast<int>(names.integer(1))});
    }
    [[nodiscard]] const fs::path& path() const { return m_path; }
    [[nodiscard]] const TableShape& table(std::uint8_t number) const {
        return m_tables[number % m_tables.size()];
    }

  private:
    fs::path m_path;
    std::vector<TableShape> m_tables;
};

void bindValue(Statement& row, int column, Input& input) {
    switch (input.number<std::uint8_t>() % 8) {
    case 0:
        return row.bindNull(column);
    case 1:
        return row.bind(column, input.number<std::int64_t>());
    case 2:
        return row.bind(column, std::int64_t{input.number<std::int32_t>()});
    case 3:
        return row.bind(column, input.text(input.number<std::uint8_t>()));
    case 4:
        return row.bind(column, input.number<double>());
    default: // most are small: ids, kinds
        return row.bind(column, std::int64_t{input.number<std::int8_t>()});
    }
}

void insertRows(const Template& from, const std::string& path, Input& input) {
    Database db(path, Database::Mode::Create);
    db.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF");
    Transaction transaction(db);
    while (!input.empty()) {
        const TableShape& table = from.table(input.number<std::uint8_t>());
        std::string sql = "INSERT INTO " + table.name + " VALUES(?";
        for (int column = 1; column < table.columns; ++column)
            sql += ",?";
        Statement row(db, sql + ")");
        for (int column = 0; column < table.columns; ++column)
            bindValue(row, column, input);
        row.run();
    }
    transaction.commit();
}

} // namespace
} // namespace tacho::fuzz

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
    using namespace tacho::fuzz;
    static const Template kOwn(false), kNsys(true);
    static const std::string kPath = (workFolder() / "x.sqlite").string();
    Input input({reinterpret_cast<const char*>(data), size});
    const Template& from = input.number<std::uint8_t>() % 2 == 0 ? kOwn : kNsys;
    fs::copy_file(from.path(), kPath, fs::copy_options::overwrite_existing);
    insertRows(from, kPath, input);
    readTrace(kPath);
    return 0;
}
