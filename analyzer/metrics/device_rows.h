// SPDX-License-Identifier: Apache-2.0
// The GPU work of each device, so that looking at every device costs one pass over the trace and not one
// each.
#pragma once

#include "analyzer/model/trace.h"

#include <span>
#include <vector>

namespace tacho {

/// Rows of Trace::gpuOps by device, in their order. Immutable.
class DeviceRows {
  public:
    explicit DeviceRows(const Trace& trace);
    [[nodiscard]] std::span<const std::uint32_t> operator[](DeviceIndex device) const {
        return m_rows[static_cast<std::size_t>(device)];
    }

  private:
    std::vector<std::vector<std::uint32_t>> m_rows;
};

} // namespace tacho
