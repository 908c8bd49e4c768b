// SPDX-License-Identifier: Apache-2.0
// The GPUs of the machine: each once, however many processes saw it under whichever number.
#pragma once

#include "analyzer/sqlite/insert.h"
#include "collector/counters/gpu_sampler.h"
#include "collector/inject/spool_format.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace tacho {

/// A GPU as one process sees it: spool::Device with its texts.
struct SeenGpu {
    spool::Device properties{};
    std::string name, uuid, busLocation;
};

/// Fills TARGET_INFO_GPU and TARGET_INFO_CUDA_DEVICE. GPUs are told apart by UUID (by bus location, or by
/// process and number, where the driver gave no UUID) and numbered from 0 as they come.
class GpuTable {
  public:
    explicit GpuTable(const Database& db);
    void add(const SeenGpu& gpu, std::int32_t pid);
    /// A process has made a context on its GPU of this number, which was added before.
    void use(std::int32_t pid, std::uint32_t deviceId);
    /// Those that came into use since the last call.
    [[nodiscard]] std::vector<WatchedGpu> takeUsed() { return std::exchange(m_used, {}); }
    /// TARGET_INFO_GPU.id; absent: none has this UUID.
    [[nodiscard]] std::optional<std::int64_t> idOf(const std::string& uuid) const;

  private:
    void writeGpu(const SeenGpu& gpu, std::int64_t id);

    Insert m_gpu, m_cudaDevice;
    std::map<std::string, std::int64_t> m_ids;                            ///< by identity
    std::map<std::pair<std::int32_t, std::uint32_t>, WatchedGpu> m_known; ///< process, its number of the GPU
    std::set<std::string> m_everUsed;                                     ///< UUIDs
    std::vector<WatchedGpu> m_used;
};

} // namespace tacho
