// SPDX-License-Identifier: Apache-2.0
// JSON objects that profilers are known to write wrongly.
#pragma once

#include <string>
#include <string_view>

namespace tacho {

/// `object` with a question mark in place of each byte that JSON does not allow in a string: control
/// characters, bytes that are not UTF-8, and backslashes that escape nothing. Of the same length.
[[nodiscard]] std::string repairedJson(std::string_view object);

} // namespace tacho
