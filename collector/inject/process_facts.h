// SPDX-License-Identifier: Apache-2.0
// What the recorder is to know of a process, besides what it does.
#pragma once

namespace tacho {

struct CuptiApi;
class Session;

/// Rank, local rank and world size from the environment that launchers set (none of them for a process
/// alone), and the arguments (one a line).
void sendProcessFacts(Session& session) noexcept;
/// Which CUPTI is used, and which driver; whether we know that CUPTI.
void sendCudaFacts(Session& session, const CuptiApi& cupti) noexcept;

} // namespace tacho
