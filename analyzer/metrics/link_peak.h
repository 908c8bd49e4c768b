// SPDX-License-Identifier: Apache-2.0
// What the link between host and GPU can carry at most.
#pragma once

#include "analyzer/model/trace.h"

#include <optional>

namespace tacho {

/// Bytes per second in one direction of PCI Express with 16 lanes of the newest generation that the GPU has:
/// 8, 16 or 32 GT/s with 128 bits in 130 (PCI Express Base Specification 3.0 to 5.0). The slot may give less,
/// and large copies from pinned memory reach 80 to 88 % of it. Absent: not an NVIDIA GPU, or one that shares
/// its memory or another link with the host (Jetson, GH200, GB200).
[[nodiscard]] std::optional<double> pcieBytesPerSecond(const Device& device);

} // namespace tacho
