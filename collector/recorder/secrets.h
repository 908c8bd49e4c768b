// SPDX-License-Identifier: Apache-2.0
// Command lines as they may be stored: without the values people do not want in a file they pass on.
#pragma once

#include <string>
#include <vector>

namespace tacho {

/// One line a shell would read back as the same arguments. The value of an option whose name contains
/// "token", "key", or "password" is replaced by "***", in "--x value" as in "--x=value"; so is that of a
/// leading environment-like argument "X_TOKEN=value" (as of env).
[[nodiscard]] std::string storableCommandLine(const std::vector<std::string>& arguments);

} // namespace tacho
