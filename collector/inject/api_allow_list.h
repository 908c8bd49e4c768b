// SPDX-License-Identifier: Apache-2.0
// Which calls of the CUDA API are worth a record.
#pragma once

namespace tacho {

/// True for the launches, copies, sets, allocations and synchronisations that explain a training step. A
/// framework makes ten other calls per launch (cudaGetDevice and its like), whose records would cost more
/// than they tell. `name` is CUPTI's, with version suffix: "cudaLaunchKernel_v7000", "cuLaunchKernelEx_ptsz".
[[nodiscard]] bool isRuntimeApiRecorded(const char* name) noexcept;
[[nodiscard]] bool isDriverApiRecorded(const char* name) noexcept;

/// True for calls of both APIs that load GPU code: these are recorded all the time, by callbacks
/// (code_loads.h), and so are not among the above.
[[nodiscard]] bool isCodeLoad(const char* name) noexcept;

} // namespace tacho
