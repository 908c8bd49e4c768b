// SPDX-License-Identifier: Apache-2.0
// Calls of the CUDA API, by CUPTI's callbacks: recording them so costs a fifth of what its activity records
// cost.
#pragma once

#include "collector/inject/cupti_api.h"

namespace tacho {

/// Which calls CUPTI tells us of.
enum class WatchedCalls : std::uint8_t {
    Loads, ///< of GPU code: few, and wanted whatever the window
    All,   ///< these and what api_allow_list.h lists
};

/// Names the calls that may be recorded, in the spool of the session.
void defineApiNames(const CuptiApi& api) noexcept;

/// Asks CUPTI to call apiCalled() for these calls, or for those of All but no more for others. All other
/// calls of CUDA stay as fast as they were. A call that is under way while this changes is not recorded.
void watchApiCalls(const CuptiApi& api, CUpti_SubscriberHandle subscriber, WatchedCalls which) noexcept;

/// A launch of a CUDA graph. WatchedCalls::Loads has these too: a process with graphs is treated otherwise.
[[nodiscard]] bool isGraphLaunch(CUpti_CallbackDomain domain, CUpti_CallbackId id) noexcept;

/// Notes a call in the log of the session. Runs on the training's threads, where a call begins and ends: no
/// lock, no allocation. A driver call that a recorded call makes is part of that and not recorded.
void apiCalled(CUpti_CallbackDomain domain, CUpti_CallbackId id, const CUpti_CallbackData& call) noexcept;

} // namespace tacho
