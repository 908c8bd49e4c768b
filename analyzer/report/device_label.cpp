// SPDX-License-Identifier: Apache-2.0
#include "analyzer/report/device_label.h"

#include <fmt/format.h>

namespace tacho {

std::string deviceLabel(const Trace& trace, const DeviceActivity& activity) {
    const Device& device = trace.devices[static_cast<std::size_t>(activity.whole.device)];
    return activity.whole.rank ? fmt::format("rank {}", *activity.whole.rank)
                               : fmt::format("GPU {}", device.id);
}

} // namespace tacho
