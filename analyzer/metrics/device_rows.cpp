// SPDX-License-Identifier: Apache-2.0
#include "analyzer/metrics/device_rows.h"

namespace tacho {

DeviceRows::DeviceRows(const Trace& trace) : m_rows(trace.devices.size()) {
    std::vector<std::size_t> counts(trace.devices.size());
    for (const DeviceIndex device : trace.gpuOps.device)
        ++counts[static_cast<std::size_t>(device)];
    for (std::size_t device = 0; device < counts.size(); ++device)
        m_rows[device].reserve(counts[device]);
    for (std::size_t row = 0; row < trace.gpuOps.size(); ++row)
        m_rows[static_cast<std::size_t>(trace.gpuOps.device[row])].push_back(static_cast<std::uint32_t>(row));
}

} // namespace tacho
