// SPDX-License-Identifier: Apache-2.0
#include "analyzer/metrics/link_peak.h"

namespace tacho {

std::optional<double> pcieBytesPerSecond(const Device& device) {
    const int capability = 10 * device.computeMajor + device.computeMinor;
    const bool sharesMemory = capability == 53 || capability == 62 || capability == 72 || capability == 87 ||
                              capability == 110 || device.name.find("GH200") != std::string::npos ||
                              device.name.find("GB") != std::string::npos;
    if (capability < 30 || sharesMemory)
        return std::nullopt;
    const double transfersPerSecond = capability < 80 ? 8e9 : capability < 90 ? 16e9 : 32e9;
    return transfersPerSecond * 16 / 8 * 128 / 130;
}

} // namespace tacho
