// SPDX-License-Identifier: Apache-2.0
// The C functions that the Python hook calls in the injected library (by ctypes).
#pragma once

#include <cstdint>

// Every function may be called from any thread, at any time, also in a forked child; none throws, none blocks
// on the GPU, and all do nothing where the library is not recording this process.
#pragma GCC visibility push(default)
extern "C" {
/// Starts recording this process before it touches CUDA. Returns 1 if the process is recorded, else 0.
int tacho_attach();
/// A training step ended now. `index` counts from 0. Opens and closes the capture window.
void tacho_step_end(std::uint64_t index);
/// A phase of the step began on this thread ("dataloader", "forward", "backward", "optimizer"); phases nest.
/// They are stored as NVTX ranges of the domain "tacho". `name` is copied.
void tacho_phase_begin(const char* name);
/// The phase that this thread began last ended now.
void tacho_phase_end();
/// Something known about the training, stored in TACHO_FRAMEWORK; a later value of the same name wins.
void tacho_fact(const char* name, const char* value);
/// What the framework's allocator holds of a GPU now, in bytes: in tensors, taken from CUDA, and the most
/// that was in tensors so far.
void tacho_memory(std::uint32_t device, std::uint64_t allocated, std::uint64_t reserved,
                  std::uint64_t peakAllocated);
/// Writes all that is recorded so far to the spool: for processes that are about to end without atexit
/// handlers.
void tacho_flush();
}
#pragma GCC visibility pop
