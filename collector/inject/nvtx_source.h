// SPDX-License-Identifier: Apache-2.0
// NVTX calls of the training and its libraries, through NVTX's own injection interface.
#pragma once

#include <cstdint>
#include <nvtx3/nvToolsExt.h>

namespace tacho {

/// Puts our functions into the table of one NVTX client (each library of a process may bring its own NVTX).
/// Returns 1 on success, as NVTX wants it.
[[nodiscard]] int installNvtx(NvtxGetExportTableFunc_t getExportTable) noexcept;

/// A range of the domain "tacho", for the hook.
void pushPhase(const char* name) noexcept;
void popPhase() noexcept;

/// In a forked child, before anything else of it calls NVTX: forgets locks and losses of the parent's
/// threads.
void nvtxForkedOff() noexcept;

/// A spool file begins: defines all domains and registered strings in it, and learns which range the capture
/// waits for.
void beginNvtx() noexcept;

} // namespace tacho
