// SPDX-License-Identifier: Apache-2.0
// The NVML functions we call, looked up at run time. Declared here: CUDA's headers need not be there to
// build.
#pragma once

#include <cstdint>

namespace tacho::nvml {

struct Device; ///< nvmlDevice_t is a pointer to it
struct Sample; ///< nvmlGpmSample_t is a pointer to it

using Result = int; ///< nvmlReturn_t
inline constexpr Result kSuccess = 0;
inline constexpr Result kNotSupported = 3;

/// nvmlMemory_v2_t, in bytes. The older form counts what the driver keeps for itself as used.
struct Memory {
    unsigned version;
    unsigned long long total, reserved, free, used;
};
inline constexpr unsigned kMemoryVersion = sizeof(Memory) | 2U << 24U;

inline constexpr int kSmClock = 1; ///< of nvmlClockType_t

/// A library of this machine. Where `problem` is null all functions are there.
struct Api {
    const char* problem = nullptr; ///< why NVML cannot be used; null: it can

    const char* (*errorString)(Result) = nullptr;
    Result (*init)() = nullptr;
    Result (*deviceByUuid)(const char* uuid, Device**) = nullptr;
    Result (*deviceByBusId)(const char* busId, Device**) = nullptr;
    Result (*memoryInfo)(Device*, Memory*) = nullptr;
    Result (*clockInfo)(Device*, int type, unsigned* mhz) = nullptr;
    Result (*throttleReasons)(Device*, unsigned long long* mask) = nullptr;
    Result (*powerUsage)(Device*, unsigned* milliwatts) = nullptr;
};

/// Loads the driver's libnvidia-ml.so.1 and initialises it.
[[nodiscard]] Api load();

} // namespace tacho::nvml
