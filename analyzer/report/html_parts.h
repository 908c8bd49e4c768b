// SPDX-License-Identifier: Apache-2.0
// The building blocks of the HTML report. All return HTML that is well-formed XML, too.
#pragma once

#include "analyzer/metrics/step_breakdown.h"

#include <string>
#include <string_view>
#include <vector>

namespace tacho {

struct HtmlColumn {
    std::string title;
    bool isNumber = false; ///< aligned right
};

/// The cells are HTML: texts in them are escaped by whoever makes them.
struct HtmlTable {
    std::string caption; ///< for screen readers; the section's title says it to all others
    std::vector<HtmlColumn> columns;
    std::vector<std::vector<std::string>> rows; ///< the first cell of each is its header
};

/// In a box of its own that scrolls if the page is too narrow; "" without rows.
[[nodiscard]] std::string htmlTable(const HtmlTable& table);

/// "" where the body is.
[[nodiscard]] std::string htmlSection(std::string_view id, std::string_view title, const std::string& body);

/// A paragraph of plain text, which is escaped here; "" where the text is.
[[nodiscard]] std::string htmlNote(std::string_view text);

/// A square of the class's colour and its name.
[[nodiscard]] std::string htmlClassName(StepClass of);

/// The classes that have time in `parts`, as a list of colours and names; `more` are list items that follow.
[[nodiscard]] std::string htmlLegend(const StepParts& parts, std::string_view more);

/// CSS: for each class `.c-NAME`, the colour of shapes, and `.t-NAME`, that of a text upon them.
[[nodiscard]] std::string classColourRules();

/// Ends a list that shows only the first `shown` of `all`; "" if these are all. `rest`: "kernels".
[[nodiscard]] std::string htmlRest(std::size_t shown, std::size_t all, std::string_view rest,
                                   std::string_view command);

} // namespace tacho
