// SPDX-License-Identifier: Apache-2.0
#include "analyzer/report/table.h"

#include <fmt/format.h>

#include <algorithm>

namespace tacho {
namespace {

std::string programTitle(const Column& column) {
    switch (column.unit) {
    case Unit::None:
        break;
    case Unit::Percent:
        return column.title + " (%)";
    case Unit::Nanoseconds:
        return column.title + " (ns)";
    case Unit::Megabytes:
        return column.title + " (MB)";
    case Unit::MegabytesPerSecond:
        return column.title + " (MB/s)";
    }
    return column.title;
}

// Text for people ----------------------------------------------------------------------------------------

constexpr std::string_view kGap = "  ";
constexpr std::size_t kLeastLastColumn =
    28; // "[CUDA memcpy Host-to-Device]"; a kernel's name says little in less
constexpr std::string_view kCut = "...";

std::string scaled(double value, std::initializer_list<std::string_view> units) {
    auto unit = units.begin();
    while (value >= 1000 && unit + 1 != units.end()) {
        value /= 1000;
        ++unit;
    }
    return fmt::format("{:.{}f} {}", value, unit == units.begin() ? 0 : 2, *unit);
}

std::string quantityText(double value, Unit unit) {
    switch (unit) {
    case Unit::None:
        break;
    case Unit::Percent:
        return fmt::format("{:.1f}", value);
    case Unit::Nanoseconds:
        return scaled(value, {"ns", "us", "ms", "s"});
    case Unit::Megabytes:
        return scaled(value * 1e6, {"B", "kB", "MB", "GB", "TB"});
    case Unit::MegabytesPerSecond:
        return scaled(value * 1e6, {"B/s", "kB/s", "MB/s", "GB/s", "TB/s"});
    }
    return fmt::format("{:g}", value);
}

std::string printable(std::string text) {
    std::replace_if(
        text.begin(), text.end(), [](unsigned char byte) { return byte < 0x20 || byte == 0x7f; }, ' ');
    return text;
}

std::string cellText(const Cell& cell, Unit unit) {
    if (const auto* text = std::get_if<std::string>(&cell))
        return printable(*text);
    if (const auto* integer = std::get_if<std::int64_t>(&cell))
        return unit == Unit::None ? fmt::format("{}", *integer)
                                  : quantityText(static_cast<double>(*integer), unit);
    return quantityText(std::get<double>(cell), unit);
}

bool startsCharacter(unsigned char byte) {
    return (byte & 0xc0U) != 0x80U;
}

std::size_t displayWidth(std::string_view text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), startsCharacter));
}

std::string cutTo(const std::string& text, std::size_t width) {
    if (displayWidth(text) <= width)
        return text;
    std::size_t characters = 0, bytes = 0;
    for (; bytes < text.size(); ++bytes)
        if (startsCharacter(static_cast<unsigned char>(text[bytes])) && ++characters > width - kCut.size())
            break;
    return text.substr(0, bytes) + std::string(kCut);
}

/// The table as strings, header included, one column after another.
struct TextColumn {
    const Column* column;
    bool isText = false;
    std::size_t width = 0;
    std::vector<std::string> cells;
};

std::vector<TextColumn> textColumns(const Table& table) {
    std::vector<TextColumn> columns;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        const auto& column = table.columns[i];
        TextColumn shown{&column, false, 0, {}};
        shown.cells.push_back(column.unit == Unit::Percent ? programTitle(column) : column.title);
        for (const auto& row : table.rows) {
            shown.isText = shown.isText || std::holds_alternative<std::string>(row[i]);
            shown.cells.push_back(cellText(row[i], column.unit));
        }
        for (const auto& cell : shown.cells)
            shown.width = std::max(shown.width, displayWidth(cell));
        columns.push_back(std::move(shown));
    }
    return columns;
}

/// Width left for the last column.
std::size_t roomForLast(const std::vector<TextColumn>& columns, std::size_t width) {
    std::size_t taken = 0;
    for (std::size_t i = 0; i + 1 < columns.size(); ++i)
        taken += columns[i].width + kGap.size();
    return taken < width ? width - taken : 0;
}

/// Number of columns taken out.
std::size_t fitTo(std::vector<TextColumn>& columns, std::size_t width) {
    const std::size_t before = columns.size();
    const std::size_t wanted = std::min(columns.back().width, kLeastLastColumn);
    for (std::size_t i = columns.size(); i-- > 0 && roomForLast(columns, width) < wanted;)
        if (columns[i].column->droppable)
            columns.erase(columns.begin() + static_cast<std::ptrdiff_t>(i));
    auto& last = columns.back();
    last.width = std::min(last.width, std::max(roomForLast(columns, width), kCut.size() + 1));
    for (auto& cell : last.cells)
        cell = cutTo(cell, last.width);
    return before - columns.size();
}

std::string textLine(const std::vector<TextColumn>& columns, std::size_t line) {
    std::string text;
    for (const auto& column : columns) {
        if (&column != &columns.front())
            text += kGap;
        const std::string padding(column.width - displayWidth(column.cells[line]), ' ');
        text += column.isText ? column.cells[line] + padding : padding + column.cells[line];
    }
    text.erase(text.find_last_not_of(' ') + 1);
    return text + '\n';
}

std::string ruleLine(const std::vector<TextColumn>& columns) {
    std::string text;
    for (const auto& column : columns)
        text += (text.empty() ? "" : std::string(kGap)) + std::string(column.width, '-');
    return text + '\n';
}

// CSV ----------------------------------------------------------------------------------------------------

std::string csvField(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos)
        return text;
    std::string quoted = "\"";
    for (const char character : text) {
        if (character == '"')
            quoted += '"';
        quoted += character;
    }
    return quoted + '"';
}

std::string tsvField(const std::string& text) {
    std::string escaped;
    for (const char character : text) {
        const std::size_t special = std::string_view("\t\n\r\\").find(character);
        if (special == std::string_view::npos)
            escaped += character;
        else
            escaped += {'\\', "tnr\\"[special]};
    }
    return escaped;
}

std::string fieldOf(const Cell& cell, Unit unit, std::string (*textField)(const std::string&)) {
    if (const auto* text = std::get_if<std::string>(&cell))
        return textField(*text);
    if (const auto* integer = std::get_if<std::int64_t>(&cell))
        return fmt::format("{}", *integer);
    if (unit == Unit::None)
        return fmt::format("{}", std::get<double>(cell));
    return fmt::format("{:.{}f}", std::get<double>(cell), unit == Unit::Megabytes ? 6 : 1);
}

std::string separated(const Table& table, const char* separator, const char* lineEnd,
                      std::string (*textField)(const std::string&)) {
    std::string text;
    for (const auto& column : table.columns)
        text += (text.empty() ? "" : separator) + textField(programTitle(column));
    text += lineEnd;
    for (const auto& row : table.rows) {
        for (std::size_t i = 0; i < row.size(); ++i)
            text += (i == 0 ? "" : separator) + fieldOf(row[i], table.columns[i].unit, textField);
        text += lineEnd;
    }
    return text;
}

} // namespace

std::string tableAsText(const Table& table, std::optional<std::size_t> width) {
    if (table.rows.empty())
        return fmt::format("{}\n(none in this capture)\n", table.title);
    auto columns = textColumns(table);
    const std::size_t leftOut = width ? fitTo(columns, *width) : 0;
    std::string text = table.title + '\n' + textLine(columns, 0) + ruleLine(columns);
    for (std::size_t row = 1; row <= table.rows.size(); ++row)
        text += textLine(columns, row);
    if (leftOut > 0)
        text += fmt::format("({} more column{} in a pipe, or with --format csv)\n", leftOut,
                            leftOut == 1 ? "" : "s");
    return text;
}

std::string tableAsCsv(const Table& table) {
    return separated(table, ",", "\r\n", csvField);
}

std::string tableAsTsv(const Table& table) {
    return separated(table, "\t", "\n", tsvField);
}

nlohmann::ordered_json tableAsJson(const Table& table) {
    auto rows = nlohmann::ordered_json::array();
    for (const auto& row : table.rows) {
        nlohmann::ordered_json object;
        for (std::size_t i = 0; i < row.size(); ++i)
            std::visit([&](const auto& value) { object[programTitle(table.columns[i])] = value; }, row[i]);
        rows.push_back(std::move(object));
    }
    return rows;
}

} // namespace tacho
