// SPDX-License-Identifier: Apache-2.0
#include "analyzer/rules/ranks.h"

#include "analyzer/rules/quantity_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace tacho {

std::string RankWait::name() const {
    return fmt::format("{} {}", isRank ? "rank" : "GPU", number);
}

bool RankWaits::isUneven() const {
    return ranks.size() > 1 && 2 * ranks.back().wait > 3 * ranks.front().wait;
}

std::string RankWaits::comparison() const {
    const std::string others = ranks.size() == 2
                                   ? "the other " + durationText(ranks.back().wait)
                                   : fmt::format("the others {} to {}", durationText(ranks[1].wait),
                                                 durationText(ranks.back().wait));
    return fmt::format("{} waits least in collectives ({}; {})", straggler().name(),
                       durationText(straggler().wait), others);
}

RankWaits waitsOfRanks(const Trace& trace, const Measurements& measurements) {
    RankWaits waits;
    for (std::size_t device = 0; device < measurements.devices.size(); ++device) {
        const DeviceActivity& activity = measurements.devices[device];
        const Process& process = trace.processes[static_cast<std::size_t>(activity.whole.process)];
        waits.worldSize = std::max(waits.worldSize, process.worldSize.value_or(0));
        if (activity.steady.communication.count() == 0)
            continue;
        const int ordinal = trace.devices[static_cast<std::size_t>(activity.whole.device)].id;
        waits.ranks.push_back({process.rank.value_or(ordinal), process.rank.has_value(), device,
                               activity.steady.communication});
    }
    std::sort(waits.ranks.begin(), waits.ranks.end(),
              [](const RankWait& a, const RankWait& b) { return a.wait < b.wait; });
    return waits;
}

} // namespace tacho
