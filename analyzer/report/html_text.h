// SPDX-License-Identifier: Apache-2.0
// Texts of a capture, made fit for HTML.
#pragma once

#include <string>
#include <string_view>

namespace tacho {

/// For elements and quoted attributes, in HTML and XML: markup is escaped; what is not UTF-8, control
/// characters and what XML does not allow become U+FFFD, as a capture may hold anything.
[[nodiscard]] std::string htmlEscaped(std::string_view text);

} // namespace tacho
