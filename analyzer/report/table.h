// SPDX-License-Identifier: Apache-2.0
// One table, shown as text for people, or as CSV or JSON for programs.
#pragma once

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tacho {

enum class Unit : std::uint8_t { None, Percent, Nanoseconds, Megabytes, MegabytesPerSecond };
inline constexpr double kBytesPerMegabyte = 1e6;

/// Programs see the unit in the column's title, "Total (ns)"; people see it in each cell, "12.34 ms".
struct Column {
    std::string title;
    Unit unit = Unit::None;
    bool droppable = false; ///< a narrow terminal may do without it
};

using Cell = std::variant<std::string, std::int64_t, double>;

/// Every row has one cell per column. Texts are UTF-8 as far as the traced program wrote UTF-8.
struct Table {
    std::string name;  ///< stable, for programs: "cuda_gpu_kern_sum"
    std::string title; ///< for people
    std::vector<Column> columns;
    std::vector<std::vector<Cell>> rows;
};

/// Aligned columns under a title. With a width, droppable columns are left out from the right until the last
/// column has room, it is cut, and a line below counts what was left out. Control characters in texts become
/// spaces: a kernel's name must not command the reader's terminal.
[[nodiscard]] std::string tableAsText(const Table& table, std::optional<std::size_t> width);

/// RFC 4180: CRLF, a header line, quotes where needed.
[[nodiscard]] std::string tableAsCsv(const Table& table);

/// As CSV without quotes: tab, line feed, carriage return and backslash in a text are written \t, \n, \r
/// and \\, so that a line is a row and a tab parts columns. Lines end in LF.
[[nodiscard]] std::string tableAsTsv(const Table& table);

/// An array of one object per row, keyed by the titles with units.
[[nodiscard]] nlohmann::ordered_json tableAsJson(const Table& table);

} // namespace tacho
