// SPDX-License-Identifier: Apache-2.0
#include "collector/recorder/gpu_table.h"

#include <fmt/format.h>

namespace tacho {

namespace {

constexpr int kThreadsPerWarp = 32; // of every GPU since CUDA exists; the driver's records do not say it

std::string identity(const SeenGpu& gpu, std::int32_t pid) {
    if (!gpu.uuid.empty())
        return gpu.uuid;
    return gpu.busLocation.empty() ? fmt::format("{}/{}", pid, gpu.properties.deviceId) : gpu.busLocation;
}

} // namespace

GpuTable::GpuTable(const Database& db)
    : m_gpu(db, "TARGET_INFO_GPU",
            {"vmId",
             "id",
             "name",
             "busLocation",
             "l2CacheSize",
             "totalMemory",
             "memoryBandwidth",
             "clockRate",
             "smCount",
             "uuid",
             "cuDevice",
             "maxRegistersPerBlock",
             "maxShmemPerBlock",
             "maxShmemPerBlockOptin",
             "maxShmemPerSm",
             "maxRegistersPerSm",
             "threadsPerWarp",
             "asyncEngines",
             "maxWarpsPerSm",
             "maxBlocksPerSm",
             "maxThreadsPerBlock",
             "computeMajor",
             "computeMinor"}),
      m_cudaDevice(db, "TARGET_INFO_CUDA_DEVICE", {"gpuId", "cudaId", "pid", "uuid", "numMultiprocessors"}) {}

void GpuTable::add(const SeenGpu& gpu, std::int32_t pid) {
    const auto key = std::pair(pid, gpu.properties.deviceId);
    if (!m_known.try_emplace(key, WatchedGpu{gpu.uuid, gpu.busLocation}).second)
        return;
    const auto [id, isNew] = m_ids.try_emplace(identity(gpu, pid), static_cast<std::int64_t>(m_ids.size()));
    if (isNew)
        writeGpu(gpu, id->second);
    m_cudaDevice.row(id->second, gpu.properties.deviceId, pid, gpu.uuid, nullIfZero(gpu.properties.smCount));
}

void GpuTable::use(std::int32_t pid, std::uint32_t deviceId) {
    const auto gpu = m_known.find({pid, deviceId});
    if (gpu != m_known.end() && !gpu->second.uuid.empty() && m_everUsed.insert(gpu->second.uuid).second)
        m_used.push_back(gpu->second);
}

std::optional<std::int64_t> GpuTable::idOf(const std::string& uuid) const {
    const auto known = m_ids.find(uuid);
    return known == m_ids.end() ? std::nullopt : std::optional(known->second);
}

void GpuTable::writeGpu(const SeenGpu& gpu, std::int64_t id) {
    const spool::Device& of = gpu.properties;
    m_gpu.row(0, id, gpu.name, gpu.busLocation, nullIfZero(of.l2CacheBytes), nullIfZero(of.totalMemoryBytes),
              nullIfZero(of.memoryBandwidthBytesPerSecond), nullIfZero(std::int64_t{of.clockRateKHz} * 1000),
              nullIfZero(of.smCount), gpu.uuid, of.deviceId, nullIfZero(of.registersPerBlock),
              nullIfZero(of.sharedMemoryPerBlockBytes), nullIfZero(of.sharedMemoryPerBlockOptinBytes),
              nullIfZero(of.sharedMemoryPerSmBytes), nullIfZero(of.registersPerSm), kThreadsPerWarp,
              nullIfZero(of.asyncEngines), nullIfZero(of.maxWarpsPerSm), nullIfZero(of.maxBlocksPerSm),
              nullIfZero(of.maxThreadsPerBlock), nullIfZero(of.computeMajor), of.computeMinor);
}

} // namespace tacho
