// SPDX-License-Identifier: Apache-2.0
// Whether one GPU is slower than the others at the same kernels.
#pragma once

#include "analyzer/metrics/measurements.h"

#include <optional>

namespace tacho {

/// How many times as long the compute kernels of a device take as those of the same names on the others: its
/// time in them by what it would be at the others' speed (of each name the median over the devices of their
/// median kernel). 2: it takes twice as long. `device`: index of Measurements::devices. Absent: no other
/// device ran kernels of the same names.
[[nodiscard]] std::optional<double> slowness(const Trace& trace, const Measurements& measurements,
                                             std::size_t device);

/// GPUs of one type differ by a few percent in clocks.
inline constexpr double kNoticeableSlowness = 1.1;

} // namespace tacho
