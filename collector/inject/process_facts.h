// SPDX-License-Identifier: Apache-2.0
// What the recorder is to know of a process, besides what it does.
#pragma once

#include <cstdint>

namespace tacho {

class Session;

/// Rank, local rank and world size from the environment that launchers set (none of them for a process
/// alone), and the arguments (one a line).
void sendProcessFacts(Session& session) noexcept;
/// The versions of CUPTI and of the driver.
void sendCudaFacts(Session& session, std::uint32_t cuptiVersion) noexcept;

} // namespace tacho
