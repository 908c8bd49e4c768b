// SPDX-License-Identifier: Apache-2.0
// How much of a GPU's memory a process needs, and what allocating costs its steps.
#pragma once

#include "analyzer/model/trace.h"

namespace tacho {

/// Of one device in one process. 0 bytes: not known.
struct MemoryUse {
    std::int64_t totalBytes = 0;         ///< of the device
    std::int64_t peakAllocatedBytes = 0; ///< most in tensors at once
    std::int64_t peakReservedBytes = 0;  ///< most that the framework's allocator took from CUDA
    std::int64_t peakCudaBytes = 0;      ///< most that was allocated by CUDA's calls at once
    std::int64_t calls = 0;              ///< that allocate or free and start in the window
    DurationNs callTime{0};              ///< of these calls, clipped to the window
};

/// Calls that only use a pool (cudaMallocAsync and its like) are left out: they cost no more than a launch.
[[nodiscard]] MemoryUse measureMemory(const Trace& trace, DeviceIndex device, Interval window);

} // namespace tacho
