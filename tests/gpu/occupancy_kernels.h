// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

/// For cudaFuncGetAttributes() and its like.
std::vector<const void*> occupancyKernels();
