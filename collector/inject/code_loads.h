// SPDX-License-Identifier: Apache-2.0
// Loads of GPU code, seen by CUPTI's callbacks: whatever the window, and with the code at hand.
#pragma once

#include "collector/inject/cupti_api.h"

namespace tacho {

/// Notes a module, and what its functions do, in the log of the session. `api` is the CUPTI that tells of it.
/// Runs on the training's threads.
void moduleLoaded(const CuptiApi& api, const CUpti_ResourceData& resource) noexcept;

} // namespace tacho
