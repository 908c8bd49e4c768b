// SPDX-License-Identifier: Apache-2.0
// How reports call a device.
#pragma once

#include "analyzer/metrics/measurements.h"

#include <string>

namespace tacho {

/// "rank 3", or "GPU 0" where there is no rank.
[[nodiscard]] std::string deviceLabel(const Trace& trace, const DeviceActivity& activity);

} // namespace tacho
