// SPDX-License-Identifier: Apache-2.0
// Writes a trace as a file of tacho, whatever it was read from.
#pragma once

#include "analyzer/model/trace.h"

#include <string>

namespace tacho {

/// Replaces the file if there is one. It is written as `path`.partial and renamed at the end. What
/// openTrace() reads from it has the same GPU work, calls, ranges, synchronisation and steps; thread ids of
/// more than 24 bits get another number, since the file's ids have no room for them. Throws Error if it
/// cannot be written.
void saveTrace(const Trace& trace, const std::string& path);

} // namespace tacho
