// SPDX-License-Identifier: Apache-2.0
#include "analyzer/rules/copy_sums.h"

#include "analyzer/rules/quantity_text.h"

#include <fmt/format.h>

namespace tacho {

CopyTotal sumOf(const Measurements& measurements, CopyTotal HostCopies::*copies) {
    CopyTotal sum;
    for (const DeviceActivity& activity : measurements.devices) {
        const CopyTotal& one = activity.copies.*copies;
        sum.count += one.count;
        sum.bytes += one.bytes;
        sum.time += one.time;
        sum.exposed += one.exposed;
    }
    return sum;
}

std::string directionsText(const CopyTotal& toDevice, const CopyTotal& toHost) {
    const auto text = [](const char* direction, const CopyTotal& total) {
        return fmt::format("{} {} at {:.1f} GB/s", direction, durationText(total.time),
                           total.gigabytesPerSecond());
    };
    if (toHost.count == 0)
        return text("host-to-device", toDevice);
    return toDevice.count == 0 ? text("device-to-host", toHost)
                               : text("host-to-device", toDevice) + ", " + text("device-to-host", toHost);
}

} // namespace tacho
