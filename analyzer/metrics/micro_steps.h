// SPDX-License-Identifier: Apache-2.0
// Tells steps from micro steps, of which a training that accumulates gradients makes several a step.
#pragma once

#include "analyzer/model/trace.h"

#include <vector>

namespace tacho {

/// `steps` of one process, found as repeated work; sorted by start. If just each k-th of them launches what
/// comes once a step, each k of them up to that one are returned as a step, those that are whole only. What
/// comes once a step is the update of the weights, by the names of its kernels: Adam and SGD, else PyTorch's
/// updates of many tensors at once; else collectives, which gradients take part in once a step. Where none of
/// them tells, or not regularly, `steps` are returned as they are.
[[nodiscard]] std::vector<StepMark> joinMicroSteps(const Trace& trace, std::vector<StepMark> steps);

} // namespace tacho
