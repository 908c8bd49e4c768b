// SPDX-License-Identifier: Apache-2.0
// What a file is, by its first bytes.
#pragma once

#include "analyzer/model/trace.h"

#include <optional>
#include <string>

namespace tacho {

enum class FileKind { Sqlite, Json };

/// Throws Error, saying what the file is and what to do, if it is neither an SQLite file nor a JSON text
/// (gzipped or not).
[[nodiscard]] FileKind detectKind(const std::string& path);

/// What one file turned out to be.
struct FileSummary {
    Source source = Source::Tacho;
    std::string formatVersion;               ///< "nsys schema 3.25.0"
    std::optional<std::int64_t> utcOfZeroNs; ///< the UTC at time 0 of the file's clock, where it says so
};

} // namespace tacho
