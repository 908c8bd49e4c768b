// SPDX-License-Identifier: Apache-2.0
#include "analyzer/report/html_parts.h"

#include "analyzer/report/class_colours.h"
#include "analyzer/report/html_text.h"

#include <fmt/format.h>

namespace tacho {
namespace {

std::string htmlRow(const HtmlTable& table, const std::vector<std::string>& cells) {
    std::string html = "<tr>";
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const std::string_view alignment = table.columns[i].isNumber ? " class=\"number\"" : "";
        html += i == 0 ? fmt::format("<th scope=\"row\"{}>{}</th>", alignment, cells[i])
                       : fmt::format("<td{}>{}</td>", alignment, cells[i]);
    }
    return html + "</tr>\n";
}

/// As bright as the eye takes it (ITU-R BT.709), 0 to 255.
double brightness(std::uint32_t colour) {
    return 0.2126 * ((colour >> 16) & 0xff) + 0.7152 * ((colour >> 8) & 0xff) + 0.0722 * (colour & 0xff);
}
constexpr double kBrightGround = 130; ///< from here on, black text is easier to read than white

} // namespace

std::string htmlTable(const HtmlTable& table) {
    if (table.rows.empty())
        return "";
    // Focusable, so that the arrow keys scroll it.
    std::string html = fmt::format("<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"{0}\">"
                                   "<table><caption>{0}</caption>\n<thead><tr>",
                                   htmlEscaped(table.caption));
    for (const HtmlColumn& column : table.columns)
        html += fmt::format("<th scope=\"col\"{}>{}</th>", column.isNumber ? " class=\"number\"" : "",
                            htmlEscaped(column.title));
    html += "</tr></thead>\n<tbody>\n";
    for (const auto& cells : table.rows)
        html += htmlRow(table, cells);
    return html + "</tbody></table></div>\n";
}

std::string htmlSection(std::string_view id, std::string_view title, const std::string& body) {
    return body.empty() ? ""
                        : fmt::format("<section id=\"{}\">\n<h2>{}</h2>\n{}</section>\n", id,
                                      htmlEscaped(title), body);
}

std::string htmlNote(std::string_view text) {
    return text.empty() ? "" : fmt::format("<p>{}</p>\n", htmlEscaped(text));
}

std::string htmlClassName(StepClass of) {
    return fmt::format("<span class=\"class\"><span class=\"swatch c-{}\"></span>{}</span>", nameOf(of),
                       titleOf(of));
}

std::string htmlLegend(const StepParts& parts, std::string_view more) {
    std::string html;
    for (std::size_t part = 0; part < kStepClasses; ++part)
        if (parts[part].count() > 0)
            html += fmt::format("<li>{}</li>", htmlClassName(static_cast<StepClass>(part)));
    return fmt::format("<ul class=\"legend\">{}{}</ul>\n", html, more);
}

std::string classColourRules() {
    std::string css;
    for (std::size_t part = 0; part < kStepClasses; ++part) {
        const std::uint32_t colour = colourOf(static_cast<StepClass>(part));
        css += fmt::format(".c-{0}{{fill:#{1:06x};background-color:#{1:06x}}}.t-{0}{{fill:{2}}}\n",
                           nameOf(static_cast<StepClass>(part)), colour,
                           brightness(colour) >= kBrightGround ? "#000" : "#fff");
    }
    return css;
}

std::string htmlRest(std::size_t shown, std::size_t all, std::string_view rest, std::string_view command) {
    return shown >= all ? ""
                        : fmt::format("<p class=\"minor\">And {} more {}: <code>{}</code> lists all.</p>\n",
                                      all - shown, rest, htmlEscaped(command));
}

} // namespace tacho
