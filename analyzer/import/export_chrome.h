// SPDX-License-Identifier: Apache-2.0
// Writing a trace as the PyTorch profiler does, for viewers such as Perfetto.
#pragma once

#include "analyzer/model/trace.h"

#include <string>

namespace tacho {

/// Overwrites; compresses if the name ends in ".gz". On failure throws Error, and no file is left.
/// openTrace() of the file gives the same work, calls, ranges and times if the trace is of one process;
/// docs/FORMAT.md says what the format cannot hold. Texts that are not UTF-8 get U+FFFD where they are not.
void exportChrome(const Trace& trace, const std::string& path);

} // namespace tacho
