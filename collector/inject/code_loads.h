// SPDX-License-Identifier: Apache-2.0
// Loads of GPU code, seen by CUPTI's callbacks: whatever the window, and with the code at hand.
#pragma once

#include "collector/inject/cupti_api.h"

#include <cstddef>
#include <cstdint>

namespace tacho {

/// Notes a module in the log of the session. `api` is the CUPTI that tells of it. Runs on the training's
/// threads.
void moduleLoaded(const CuptiApi& api, const CUpti_ResourceData& resource) noexcept;

/// The GPU generation that a module's machine code is for: 90 for sm_90; 0: it does not say.
[[nodiscard]] std::uint32_t architectureOf(const char* code, std::size_t bytes) noexcept;

} // namespace tacho
