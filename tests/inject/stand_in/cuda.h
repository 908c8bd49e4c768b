// SPDX-License-Identifier: Apache-2.0
// What victims call instead of CUDA, on a machine without a GPU.
#pragma once

/// Does what cuInit() does for a profiler: loads the library named by CUDA_INJECTION64_PATH and calls its
/// entry. False: there is none, or it refused.
bool initCuda();

/// Another profiler of that name subscribes to CUPTI. `name` must live for ever.
void subscribeOther(const char* name);

/// Launches a kernel that has run a microsecond later. CUPTI, if somebody uses it, gets a record of the call
/// and one of the kernel. `name` must live for ever. May be called from any thread.
void launch(const char* name);
