// SPDX-License-Identifier: Apache-2.0
// The names of a kernel: as its author wrote it, and the short one people say.
#pragma once

#include <string>
#include <string_view>

namespace tacho {

/// The C++ name of a mangled one; a name that is not mangled, or not validly, comes back as it is.
[[nodiscard]] std::string demangledName(const std::string& mangled);

/// The function's name alone: "void at::native::f<int, g>(T1)" -> "f". What has no such form (an anonymous
/// lambda, a generated name with spaces) comes back whole. Never empty unless `demangled` is.
[[nodiscard]] std::string_view shortName(std::string_view demangled);

} // namespace tacho
