// SPDX-License-Identifier: Apache-2.0
// How long each rank waits in collectives: who waits least is who the others wait for.
#pragma once

#include "analyzer/metrics/measurements.h"

#include <string>
#include <vector>

namespace tacho {

struct RankWait {
    int number = 0; ///< rank, or CUDA ordinal of the device where the files do not state ranks
    bool isRank = true;
    [[nodiscard]] std::string name() const; ///< "rank 7", "GPU 1"
    std::size_t device = 0;                 ///< index of Measurements::devices
    DurationNs wait{0}; ///< time in communication kernels in the window: the first is slow, it sets all up
};

struct RankWaits {
    std::vector<RankWait> ranks; ///< those with communication kernels, shortest wait first
    int worldSize = 0;           ///< as the files state it; 0: they do not

    /// The longest wait is over 1.5 times the shortest: collectives of equal ranks last equally long.
    [[nodiscard]] bool isUneven() const;
    [[nodiscard]] const RankWait& straggler() const { return ranks.front(); } ///< REQUIRES a rank
    /// "rank 7 waits least in collectives (1.7 ms; the others 3.5 ms to 11.3 ms)". REQUIRES two ranks.
    [[nodiscard]] std::string comparison() const;
};

[[nodiscard]] RankWaits waitsOfRanks(const Trace& trace, const Measurements& measurements);

} // namespace tacho
