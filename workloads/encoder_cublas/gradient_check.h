// SPDX-License-Identifier: Apache-2.0
// Compares the GPU's gradients with finite differences of the same network computed on the host in double.
#pragma once

#include "workloads/encoder_cublas/options.h"

namespace tacho::encoder {

/// Checks every parameter of a small network in fp32, prints the largest relative error, and returns whether
/// it is below 1e-3.
[[nodiscard]] bool gradientsAgree(const Options& options);

} // namespace tacho::encoder
