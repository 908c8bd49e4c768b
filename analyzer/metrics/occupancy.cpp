// SPDX-License-Identifier: Apache-2.0
#include "analyzer/metrics/occupancy.h"

#include <algorithm>
#include <array>

namespace tacho {
namespace {

constexpr std::int64_t kThreadsPerWarp = 32;
constexpr std::int64_t kRegisterUnit = 256;
constexpr std::int64_t kQuarters = 4;

std::int64_t product(const std::array<std::int32_t, 3>& sizes) {
    return std::int64_t{sizes[0]} * sizes[1] * sizes[2];
}

std::int64_t roundedUp(std::int64_t value, std::int64_t unit) {
    return (value + unit - 1) / unit * unit;
}

bool isKnown(const LaunchShape& shape, const Device& device) {
    const auto isPositive = [](std::int32_t size) { return size > 0; };
    return std::all_of(shape.grid.begin(), shape.grid.end(), isPositive) &&
           std::all_of(shape.block.begin(), shape.block.end(), isPositive) && shape.registersPerThread > 0 &&
           shape.staticSharedMemoryBytes >= 0 && shape.dynamicSharedMemoryBytes >= 0 &&
           device.computeMajor >= 7 && device.smCount > 0 && device.maxWarpsPerSm > 0 &&
           device.maxBlocksPerSm > 0 && device.registersPerSm > 0 && device.sharedMemoryPerSmBytes > 0;
}

std::int64_t blocksByRegisters(const LaunchShape& shape, const Device& device, std::int64_t warps) {
    const std::int64_t ofWarp = roundedUp(shape.registersPerThread * kThreadsPerWarp, kRegisterUnit);
    return device.registersPerSm / kQuarters / ofWarp * kQuarters / warps;
}

/// No limit: as many as can be counted.
std::int64_t blocksBySharedMemory(const LaunchShape& shape, const Device& device, std::int64_t most) {
    const bool isAmpereOrNewer = device.computeMajor >= 8;
    const std::int64_t ofBlock = roundedUp(std::int64_t{shape.staticSharedMemoryBytes} +
                                               shape.dynamicSharedMemoryBytes + (isAmpereOrNewer ? 1024 : 0),
                                           isAmpereOrNewer ? 128 : 256);
    return ofBlock > 0 ? device.sharedMemoryPerSmBytes / ofBlock : most;
}

} // namespace

std::string_view nameOf(OccupancyLimit limit) {
    static constexpr std::array<std::string_view, 4> kNames = {"warps", "blocks", "registers",
                                                               "shared memory"};
    return kNames[static_cast<std::size_t>(limit)];
}

std::optional<Occupancy> theoreticalOccupancy(const LaunchShape& shape, const Device& device) {
    if (!isKnown(shape, device))
        return std::nullopt;
    const std::int64_t warps = roundedUp(product(shape.block), kThreadsPerWarp) / kThreadsPerWarp;
    const std::int64_t most = device.maxBlocksPerSm;
    const std::array<std::int64_t, 4> blocks = {device.maxWarpsPerSm / warps, most, // as OccupancyLimit
                                                blocksByRegisters(shape, device, warps),
                                                blocksBySharedMemory(shape, device, most)};
    const auto* const least = std::min_element(blocks.begin(), blocks.end());
    if (*least == 0)
        return std::nullopt; // it ran, so some number in the file is not what it says
    Occupancy occupancy;
    occupancy.blocksPerSm = *least;
    occupancy.share = static_cast<double>(*least * warps) / static_cast<double>(device.maxWarpsPerSm);
    occupancy.limit = static_cast<OccupancyLimit>(least - blocks.begin());
    occupancy.waves = static_cast<double>(product(shape.grid)) / static_cast<double>(*least * device.smCount);
    return occupancy;
}

} // namespace tacho
