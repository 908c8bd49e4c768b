// SPDX-License-Identifier: Apache-2.0
// Copies of all devices together, in numbers and words.
#pragma once

#include "analyzer/metrics/measurements.h"

#include <string>

namespace tacho {

/// Sums over the devices of, say, &HostCopies::toDevice.
[[nodiscard]] CopyTotal sumOf(const Measurements& measurements, CopyTotal HostCopies::*copies);

/// "host-to-device 9.2 ms at 6.3 GB/s, device-to-host 1.0 ms at 5.0 GB/s"; a direction without copies is left
/// out.
[[nodiscard]] std::string directionsText(const CopyTotal& toDevice, const CopyTotal& toHost);

} // namespace tacho
