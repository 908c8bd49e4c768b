// SPDX-License-Identifier: Apache-2.0
// Batches of doubles: twice the bytes that a training of floats can use.
#pragma once

#include "analyzer/model/trace.h"

namespace tacho {

/// By the hook's fact dataloader.types, of any process.
[[nodiscard]] bool anyBatchIsDouble(const Trace& trace);

inline constexpr const char* kSendFloats =
    "The DataLoader's batches are float64: make them float32 in the Dataset (NumPy's default is float64); "
    "half of the bytes are copied then.";

} // namespace tacho
