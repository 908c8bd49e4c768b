// SPDX-License-Identifier: Apache-2.0
// How often each kernel, copy, set and host call ran, and how its times and sizes are spread.
#pragma once

#include "analyzer/model/trace.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tacho {

/// The values of all rows of one name. Value is DurationNs or, for sizes, std::int64_t bytes; the fractional
/// members are in the same unit (ns, bytes).
template <class Value>
struct Summary {
    std::string name;
    std::int64_t count = 0;
    Value total{}, min{}, max{};
    double mean = 0;
    double median = 0; ///< mean of the two middle values where the count is even
    double stddev = 0; ///< of a sample (n - 1); 0 for a single value
};
using TimeSummary = Summary<DurationNs>;
using SizeSummary = Summary<std::int64_t>;

[[nodiscard]] std::string_view copyLabel(CopyKind kind); ///< "[CUDA memcpy Host-to-Device]"
/// The kernel's name, or "[CUDA memcpy Host-to-Device]" and the like.
[[nodiscard]] std::string gpuOpName(const Trace& trace, std::size_t row);

/// REQUIRES values (ns), one at least.
[[nodiscard]] TimeSummary summarizeTimes(std::string name, std::vector<std::int64_t> values);

/// All summaries come largest total first, equal totals in order of name.
/// A kernel's name is its demangled one, template arguments included.
[[nodiscard]] std::vector<TimeSummary> summarizeKernels(const Trace& trace);
/// Copies by direction and sets: "[CUDA memcpy Host-to-Device]", "[CUDA memset]".
[[nodiscard]] std::vector<TimeSummary> summarizeMemoryTime(const Trace& trace);
[[nodiscard]] std::vector<SizeSummary> summarizeMemorySize(const Trace& trace);
/// Calls of the CUDA runtime and driver on the host, as far as they were recorded.
[[nodiscard]] std::vector<TimeSummary> summarizeApiCalls(const Trace& trace);

} // namespace tacho
