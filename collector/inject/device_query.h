// SPDX-License-Identifier: Apache-2.0
// The properties of the GPUs, from the driver that is already in the process.
#pragma once

#include "collector/inject/activity_decoder.h"
#include "collector/inject/spool_file.h"

namespace tacho {

/// Writes a Device record per visible GPU. False: the driver is not ready yet (or not there); ask again
/// later. Never loads or initialises the driver. Writer thread only.
[[nodiscard]] bool writeDevices(SpoolFile& file, ActivityDecoder& strings) noexcept;

} // namespace tacho
