// SPDX-License-Identifier: Apache-2.0
// NVTX domains by which tacho's files tell kinds of ranges apart.
#pragma once

#include "analyzer/model/trace.h"

#include <string_view>

namespace tacho {

inline constexpr std::string_view kPhaseDomain = "tacho"; ///< written by the recorder for the hook
// Written by `tacho import` for PyTorch profiler traces.
inline constexpr std::string_view kOperatorDomain = "tacho.operator";
inline constexpr std::string_view kAnnotationDomain = "tacho.annotation";

[[nodiscard]] constexpr RangeKind kindOfDomain(std::string_view domain) {
    if (domain == kPhaseDomain)
        return RangeKind::Phase;
    if (domain == kOperatorDomain)
        return RangeKind::Operator;
    return domain == kAnnotationDomain ? RangeKind::Annotation : RangeKind::Nvtx;
}

} // namespace tacho
