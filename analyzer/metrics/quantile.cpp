// SPDX-License-Identifier: Apache-2.0
#include "analyzer/metrics/quantile.h"

#include <algorithm>

namespace tacho {

DurationNs quantile(std::vector<DurationNs> values, double fraction) {
    if (values.empty())
        return DurationNs{0};
    const auto at = static_cast<std::ptrdiff_t>(fraction * static_cast<double>(values.size() - 1) + 0.5);
    std::nth_element(values.begin(), values.begin() + at, values.end());
    return values[static_cast<std::size_t>(at)];
}

} // namespace tacho
