// SPDX-License-Identifier: Apache-2.0
// Names of step sources in files.
#pragma once

#include "analyzer/model/trace.h"

#include <array>
#include <string_view>

namespace tacho {

inline constexpr std::array<std::string_view, 5> kStepSourceNames = {"none", "optimizer", "annotation",
                                                                     "nvtx", "periodic"};

[[nodiscard]] constexpr std::string_view stepSourceName(StepSource source) {
    return kStepSourceNames[static_cast<std::size_t>(source)];
}

/// Of an unknown name, None.
[[nodiscard]] constexpr StepSource stepSourceOf(std::string_view name) {
    for (std::size_t i = 0; i < kStepSourceNames.size(); ++i)
        if (name == kStepSourceNames[i])
            return static_cast<StepSource>(i);
    return StepSource::None;
}

} // namespace tacho
