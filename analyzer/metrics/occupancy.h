// SPDX-License-Identifier: Apache-2.0
// How many warps of a kernel fit on a multiprocessor at once, told from its launch.
#pragma once

#include "analyzer/model/trace.h"

#include <optional>
#include <string_view>

namespace tacho {

/// What keeps another block from fitting.
enum class OccupancyLimit : std::uint8_t { Warps, Blocks, Registers, SharedMemory };
[[nodiscard]] std::string_view nameOf(OccupancyLimit limit); ///< for people: "shared memory"

struct Occupancy {
    std::int64_t blocksPerSm = 0; ///< that fit at once
    double share = 0;             ///< of the warps that a multiprocessor can hold, 0 to 1
    OccupancyLimit limit = OccupancyLimit::Warps;
    double waves = 0; ///< blocks of the grid by blocks that fit on the whole GPU; under 1: it is not filled
};

/// Theoretical: as if there are blocks enough and none ends. By the rules of NVIDIA's CUDA C++ Programming
/// Guide (technical specifications per compute capability) and of its cuda_occupancy.h, from compute
/// capability 7.0 on: registers are given to a warp in units of 256 out of its quarter of the multiprocessor;
/// shared memory to a block in units of 256 bytes, from 8.0 on of 128 with 1 KiB more that the driver takes.
/// Absent: not NVIDIA's, older, or the file does not have all facts of the launch and the device.
[[nodiscard]] std::optional<Occupancy> theoreticalOccupancy(const LaunchShape& shape, const Device& device);

} // namespace tacho
