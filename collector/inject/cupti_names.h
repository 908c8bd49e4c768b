// SPDX-License-Identifier: Apache-2.0
// Where CUPTI is looked for. A list, no code: `tacho doctor` looks at the same places.
#pragma once

namespace tacho {

/// The sonames of CUDA 13, 12, and of 11.8, whose record layouts we know.
inline constexpr const char* kCuptiNames[] = {"libcupti.so.13", "libcupti.so.12", "libcupti.so.11.8",
                                              "libcupti.so"};
/// Tried after the paths of the dynamic linker.
inline constexpr const char* kCuptiFolders[] = {"/usr/local/cuda/lib64",
                                                "/usr/local/cuda/extras/CUPTI/lib64"};
/// Below the folder that CUDA_HOME names; tried last.
inline constexpr const char* kCuptiOfCudaHome = "extras/CUPTI/lib64";

} // namespace tacho
