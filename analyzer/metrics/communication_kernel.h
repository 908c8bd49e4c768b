// SPDX-License-Identifier: Apache-2.0
// Tells kernels that move data between GPUs from kernels that compute.
#pragma once

#include <string_view>

namespace tacho {

/// Whether a kernel of this name is part of a collective or peer exchange: NCCL, RCCL, MSCCL++, symmetric
/// memory, and custom all-reduce kernels. Ignores case. A judgement by name: ask once per distinct name.
[[nodiscard]] bool isCommunicationKernel(std::string_view name);

} // namespace tacho
