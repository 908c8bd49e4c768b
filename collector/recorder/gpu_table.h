// SPDX-License-Identifier: Apache-2.0
// The GPUs of the machine: each once, however many processes saw it under whichever number.
#pragma once

#include "analyzer/sqlite/insert.h"
#include "collector/inject/spool_format.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>

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

  private:
    void writeGpu(const SeenGpu& gpu, std::int64_t id);

    Insert m_gpu, m_cudaDevice;
    std::map<std::string, std::int64_t> m_ids;
    std::set<std::pair<std::int32_t, std::uint32_t>> m_known; ///< process, its number of the GPU
};

} // namespace tacho
