// SPDX-License-Identifier: Apache-2.0
#include "analyzer/metrics/communication_kernel.h"

#include <algorithm>
#include <array>
#include <string>

namespace tacho {

bool isCommunicationKernel(std::string_view name) {
    static constexpr std::array<std::string_view, 15> kMarks = {
        "nccl",           "rccl",       "mscclkernel", "multimem_all", "cross_device_reduce",
        "allreduce",      "all_reduce", "allgather",   "all_gather",   "reducescatter",
        "reduce_scatter", "alltoall",   "all_toall",   "allto_all",    "all_to_all",
    };
    std::string lower(name);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return std::any_of(kMarks.begin(), kMarks.end(),
                       [&](std::string_view mark) { return lower.find(mark) != std::string::npos; });
}

} // namespace tacho
