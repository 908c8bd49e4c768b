// SPDX-License-Identifier: Apache-2.0
#include "analyzer/rules/device_speed.h"

#include "analyzer/metrics/communication_kernel.h"
#include "analyzer/metrics/quantile.h"

#include <unordered_map>

namespace tacho {

std::optional<double> slowness(const Trace& trace, const Measurements& measurements, std::size_t device) {
    std::unordered_map<StringId, std::vector<DurationNs>> others;
    for (std::size_t i = 0; i < measurements.devices.size(); ++i)
        if (i != device)
            for (const KernelTotal& kernel : measurements.devices[i].kernels)
                others[kernel.name].push_back(kernel.median);
    double own = 0, usual = 0;
    for (const KernelTotal& kernel : measurements.devices[device].kernels) {
        const auto same = others.find(kernel.name);
        if (same == others.end() || isCommunicationKernel(trace.text(kernel.name)))
            continue;
        const auto count = static_cast<double>(kernel.count);
        own += count * static_cast<double>(kernel.median.count());
        usual += count * static_cast<double>(quantile(std::move(same->second), 0.5).count());
    }
    return usual > 0 ? std::optional(own / usual) : std::nullopt;
}

} // namespace tacho
