// SPDX-License-Identifier: Apache-2.0
// How a long read tells how far it is.
#pragma once

#include <functional>

namespace tacho {

/// Called now and then on the reading thread with the part done, 0 to 1. To cancel, throw: what it throws
/// passes through openTrace() unchanged. May be empty.
using Progress = std::function<void(double fraction)>;

} // namespace tacho
