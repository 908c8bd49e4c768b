// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analyzer/model/trace.h"

#include <array>
#include <string_view>

namespace tacho {

/// As Nsight Systems and PyTorch call it: "Pageable"; "" for unknown.
[[nodiscard]] inline std::string_view titleOf(MemoryKind kind) {
    static constexpr std::array<std::string_view, 8> kTitles = {
        "Pageable", "Pinned", "Device", "Array", "Managed", "Device Static", "Managed Static", ""};
    return kTitles[static_cast<std::size_t>(kind)];
}

} // namespace tacho
