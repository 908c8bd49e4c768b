// SPDX-License-Identifier: Apache-2.0
// Loads of GPU code, seen by CUPTI's callbacks: whatever the window, and with the code at hand.
#pragma once

#include "collector/inject/cupti_api.h"

#include <cstddef>
#include <cstdint>

namespace tacho {

/// Asks CUPTI to call codeLoadCallback() for every module that is loaded, and for every call that loads code.
/// All other calls of CUDA stay as fast as they were.
void switchOnCodeLoadCallbacks(const CuptiApi& api, CUpti_SubscriberHandle subscriber) noexcept;

/// The subscriber's callback; `api` is the CuptiApi that was subscribed with. Runs on the training's threads.
void codeLoadCallback(void* api, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* data) noexcept;

/// The GPU generation that a module's machine code is for: 90 for sm_90; 0: it does not say.
[[nodiscard]] std::uint32_t architectureOf(const char* code, std::size_t bytes) noexcept;

} // namespace tacho
